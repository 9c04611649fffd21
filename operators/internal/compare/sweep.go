package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Group holds the valid measurements of one server under one load, without warm-ups.
type Group struct {
	Server string
	Cell   Cell
	Rows   []*results.Row
}

// Groups returns the groups of a run, in the order of their first rows.
func Groups(run *archive.Run) []Group {
	var groups []Group
	for i := range run.Rows {
		row := &run.Rows[i]
		if row.Warmup || !row.Valid {
			continue
		}
		at := slices.IndexFunc(groups, func(g Group) bool { return g.Server == row.Server && g.Cell == CellOf(row) })
		if at < 0 {
			groups = append(groups, Group{Server: row.Server, Cell: CellOf(row)})
			at = len(groups) - 1
		}
		groups[at].Rows = append(groups[at].Rows, row)
	}
	return groups
}

// TableMetrics returns the metrics of tables with little space, without optional metrics that were not compared.
func (r *Result) TableMetrics() []Metric {
	return slices.DeleteFunc(Metrics(), func(m Metric) bool {
		compared := slices.ContainsFunc(r.Comparisons, func(c Comparison) bool { return c.Metric.Name == m.Name })
		return m.Percentile == 99 || m.Offered && !compared
	})
}

// sweepFrom is the least number of values that make a sweep.
const sweepFrom = 3

// Sweep is one load at several values of one axis.
type Sweep struct {
	Axis Axis
	// Cells are sorted by their values, ascending.
	Cells []Cell
}

// Sweeps returns the sweeps among the cells, in the order of their first cells. A load that varies in several parameters is a sweep over
// the first axis with enough values, once for each combination of the others.
func Sweeps(cells []Cell) []Sweep {
	var sweeps []Sweep
	for _, axis := range Axes() {
		sweeps = append(sweeps, sweepsOver(axis, slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool {
			return slices.ContainsFunc(sweeps, func(s Sweep) bool { return s.Holds(c) })
		}))...)
	}
	slices.SortStableFunc(sweeps, func(x, y Sweep) int {
		return cmp.Compare(slices.Index(cells, x.Cells[0]), slices.Index(cells, y.Cells[0]))
	})
	for _, s := range sweeps {
		slices.SortFunc(s.Cells, func(x, y Cell) int { return cmp.Compare(s.Axis.Of(x), s.Axis.Of(y)) })
	}
	return sweeps
}

func sweepsOver(axis Axis, cells []Cell) []Sweep {
	var sweeps []Sweep
	for _, cell := range cells {
		at := slices.IndexFunc(sweeps, func(s Sweep) bool { return axis.without(s.Cells[0]) == axis.without(cell) })
		switch {
		case at < 0:
			sweeps = append(sweeps, Sweep{axis, []Cell{cell}})
		case !sweeps[at].Holds(cell):
			sweeps[at].Cells = append(sweeps[at].Cells, cell)
		}
	}
	return slices.DeleteFunc(sweeps, func(s Sweep) bool { return len(s.Cells) < sweepFrom })
}

// Name returns the sweep's name, unique in a run: the operation, the axis and, if other sweeps differ in further parameters, their values.
func (s Sweep) Name(all []Sweep) string {
	name, at := s.Operation()+", by "+s.Axis.Title, ""
	for _, axis := range Axes() {
		if axis.Name != s.Axis.Name && slices.ContainsFunc(all, func(other Sweep) bool {
			return other.Operation() == s.Operation() && axis.Of(other.Cells[0]) != axis.Of(s.Cells[0])
		}) {
			at += fmt.Sprintf(", %d %s", axis.Of(s.Cells[0]), axis.Unit)
		}
	}
	return name + at
}

// Operation returns the operation that is swept.
func (s Sweep) Operation() string { return s.Cells[0].Operation }

// Holds reports whether the sweep includes the cell.
func (s Sweep) Holds(cell Cell) bool { return slices.Contains(s.Cells, cell) }

// Table returns one metric as a table, with a row for each value and a column for each server.
func (s Sweep) Table(run *archive.Run, metric Metric) *textfmt.Table {
	servers, groups := Servers(run), Groups(run)
	if metric.missing(s.rows(run)) {
		servers = nil
	}
	return s.table(servers, func(cell Cell, server string) (string, bool) {
		if s.Axis.OffersRates() {
			point := Offer(run, server, cell)
			return point.text(run, metric), point.Of() > 0
		}
		at := slices.IndexFunc(groups, func(g Group) bool { return g.Server == server && g.Cell == cell })
		if at < 0 {
			return "", false
		}
		return metric.Text(run, groups[at].Rows), true
	})
}

// rows returns the run's rows that belong to the sweep.
func (s Sweep) rows(run *archive.Run) []results.Row {
	return slices.DeleteFunc(slices.Clone(run.Rows), func(row results.Row) bool { return row.Warmup || !s.Holds(CellOf(&row)) })
}

// Sweeps returns the sweeps among the compared loads.
func (r *Result) Sweeps() []Sweep {
	var cells []Cell
	for _, c := range r.Comparisons {
		cells = append(cells, c.Cell)
	}
	return Sweeps(cells)
}

// Without returns the result without the comparisons of the sweeps.
func (r *Result) Without(sweeps []Sweep) *Result {
	rest := &Result{Notes: r.Notes}
	for _, c := range r.Comparisons {
		if !slices.ContainsFunc(sweeps, func(s Sweep) bool { return s.Holds(c.Cell) }) {
			rest.Comparisons = append(rest.Comparisons, c)
		}
	}
	return rest
}

// TellsApart reports whether an operation was compared under loads that differ in the property. If so, a table must show it.
func (r *Result) TellsApart(property func(Cell) any) bool {
	of := map[string]any{}
	for _, c := range r.Comparisons {
		value := property(c.Cell)
		if known, there := of[c.Cell.Operation]; there && known != value {
			return true
		}
		of[c.Cell.Operation] = value
	}
	return false
}

// SweepTable returns a metric's ratios to the baseline, with a row for each value and a column for each server. A ratio with an interval
// has its verdict next to it.
func (r *Result) SweepTable(s Sweep, metric Metric) *textfmt.Table {
	var servers []string
	for _, c := range r.Comparisons {
		if s.Holds(c.Cell) && !slices.Contains(servers, c.Server) {
			servers = append(servers, c.Server)
		}
	}
	return s.table(servers, func(cell Cell, server string) (string, bool) {
		for _, c := range r.Comparisons {
			if c.Cell != cell || c.Server != server || c.Metric.Name != metric.Name {
				continue
			}
			text := cmp.Or(c.Effect(), "not known")
			if c.Known() && c.Primary && !c.AA {
				text = fmt.Sprintf("%s %s", c.Word(), text)
			}
			return text, true
		}
		return "", false
	})
}

// table leaves out servers without any known figure.
func (s Sweep) table(servers []string, figure func(cell Cell, server string) (string, bool)) *textfmt.Table {
	t := &textfmt.Table{Columns: []textfmt.Column{{Title: strings.ToUpper(s.Axis.Title), Name: s.Axis.Name, Right: true}}}
	rows := make([][]string, len(s.Cells))
	for i, cell := range s.Cells {
		rows[i] = []string{strconv.Itoa(s.Axis.Of(cell))}
	}
	for _, server := range servers {
		there := false
		column := make([]string, len(s.Cells))
		for i, cell := range s.Cells {
			text, known := figure(cell, server)
			column[i], there = text, there || known
		}
		if !there {
			continue
		}
		t.Columns = append(t.Columns, textfmt.Column{Title: server, Name: server, Right: true})
		for i := range rows {
			rows[i] = append(rows[i], column[i])
		}
	}
	for _, row := range rows {
		t.Add(textfmt.Plain, row...)
	}
	return t
}

// Text formats a metric over several measurements with the decimals of measurements.csv; empty if it is unknown. For a single measurement,
// it is the row's own cell.
func (m Metric) Text(run *archive.Run, rows []*results.Row) string {
	if len(rows) == 1 && m.Unit() == m.column.Unit {
		return m.column.Encode(rows[0])
	}
	value, err := Figure(run, rows, m)
	if err != nil {
		return ""
	}
	return m.format(value)
}
