package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/published"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// printRun prints a run's rows: a table with the published figures, or the columns of measurements.csv in other formats.
// servers is the order of the servers, if known.
func (a *App) printRun(rows []results.Row, servers []string, in textfmt.Units, format string) error {
	if len(rows) == 0 {
		a.printf("no measurement was finished")
		return nil
	}
	if !textfmt.ForPeople(format) {
		return rowsTable(rows).Write(a.Out, format, false)
	}
	ordered := byServer(rows, servers)
	t := results.Table(ordered, in)
	if err := t.Write(a.Out, format, a.Colour); err != nil {
		return err
	}
	a.printFootnotes(ordered)
	return nil
}

// printSweeps prints a small table per figure for loads that were measured at several thread counts, connections or rates.
func (a *App) printSweeps(run *archive.Run, format string) error {
	if !textfmt.ForPeople(format) {
		return nil
	}
	sweeps := compare.Sweeps(compare.Cells(run))
	for _, sweep := range sweeps {
		for _, metric := range compare.TableMetrics(run.Rows) {
			metric = metric.In(run.Units())
			figures := sweep.Table(run, metric)
			if len(figures.Columns) < 2 {
				continue // no server has this metric
			}
			fmt.Fprintf(a.Out, "\n%s: %s, %s\n", sweep.Name(sweeps), metric.Title, metric.Unit())
			if err := figures.Write(a.Out, format, a.Colour); err != nil {
				return err
			}
		}
		if sweep.Axis.OffersRates() {
			a.printf("%s: %q marks rates of which less than %s was answered in at least half of the measurements", sweep.Name(sweeps), compare.MissedText, compare.LeastShare(run))
		}
	}
	return nil
}

func (a *App) printFootnotes(rows []results.Row) {
	for _, warning := range results.Warnings(rows) {
		a.printf("warning, %s", warning)
	}
	laid := slices.IndexFunc(rows, func(r results.Row) bool { return len(published.For(r.Published())) > 0 })
	if laid >= 0 {
		a.printf("published: %s; measured on other machines: compare ratios between servers, not absolute figures", published.Setup(rows[laid].Store))
	}
	for _, said := range results.Said(rows) {
		a.printf("published: %s", said)
	}
}

// byServer groups rows by server and then by operation, as the published table does; within a group they stay in the order of measurement.
func byServer(rows []results.Row, servers []string) []results.Row {
	order := slices.Clone(servers)
	var operations []string
	for _, row := range rows {
		if !slices.Contains(order, row.Server) {
			order = append(order, row.Server)
		}
		if !slices.Contains(operations, row.Operation) {
			operations = append(operations, row.Operation)
		}
	}
	ordered := slices.Clone(rows)
	slices.SortStableFunc(ordered, func(x, y results.Row) int {
		return cmp.Or(cmp.Compare(slices.Index(order, x.Server), slices.Index(order, y.Server)),
			cmp.Compare(slices.Index(operations, x.Operation), slices.Index(operations, y.Operation)))
	})
	return ordered
}

func rowsTable(rows []results.Row) *textfmt.Table {
	t := &textfmt.Table{}
	for _, name := range results.Header() {
		t.Columns = append(t.Columns, textfmt.Column{Title: strings.ToUpper(name), Name: name})
	}
	for i := range rows {
		t.Add(textfmt.Plain, rows[i].Cells()...)
	}
	return t
}

func (a *App) printFiles(folder string, rows int) {
	if rows > 0 {
		a.printf("results in %s, report %s", folder, filepath.Join(folder, archive.ReportFile))
	}
}
