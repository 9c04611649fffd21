package cli

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// printComparison prints the main columns; comparison.csv and the other formats have every column and metric.
func (a *App) printComparison(result *compare.Result, format string) error {
	full := result.Table()
	if !textfmt.ForPeople(format) {
		return full.Write(a.Out, format, false)
	}
	sweeps := result.Sweeps()
	rest := result.Without(sweeps)
	short := rest.Table().Select("baseline", "server", "operation", "phase", "threads", "connections", "target_rate", "metric", "baseline_value", "server_value", "ratio", "ci_low", "ci_high", "difference", "difference_low", "difference_high", "rounds", compare.DropoutsColumn, compare.StatementColumn, compare.PublishedColumn)
	for name, of := range map[string]func(compare.Cell) any{
		"phase":       func(c compare.Cell) any { return c.Phase },
		"connections": func(c compare.Cell) any { return c.Connections },
		"target_rate": func(c compare.Cell) any { return c.TargetRate },
	} {
		if !rest.TellsApart(of) {
			short.Remove(name)
		}
	}
	short.RemoveEmpty(compare.DropoutsColumn)
	if !rest.HasDifferences() {
		for _, column := range []string{"difference", "difference_low", "difference_high"} {
			short.Remove(column)
		}
	}
	short.RemoveEmpty(compare.PublishedColumn)
	if len(short.Rows) > 0 {
		if err := short.Write(a.Out, format, a.Colour); err != nil {
			return err
		}
	}
	for _, sweep := range sweeps {
		for _, metric := range result.TableMetrics() {
			ratios := result.SweepTable(sweep, metric)
			if len(ratios.Columns) < 2 {
				continue // no server has this metric
			}
			fmt.Fprintf(a.Out, "\n%s: %s, ratios%s\n", sweep.Name(sweeps), metric.Title, toBaseline(result))
			if err := ratios.Write(a.Out, format, a.Colour); err != nil {
				return err
			}
		}
	}
	for _, line := range reasons(result) {
		a.printf("%s", line)
	}
	return nil
}

// toBaseline names the baseline if all comparisons have the same one.
func toBaseline(result *compare.Result) string {
	if len(result.Comparisons) == 0 {
		return ""
	}
	baseline := result.Comparisons[0].Baseline
	for _, c := range result.Comparisons {
		if c.Baseline != baseline {
			return ""
		}
	}
	return " to " + baseline
}

// reasons returns why primary ratios are unresolved, each reason once.
func reasons(result *compare.Result) []string {
	lines := slices.Clone(result.Gaps)
	for _, c := range result.Comparisons {
		if c.Reason == "" || !c.Primary || c.Reason == c.Missing() { // which is a note
			continue
		}
		line := c.Reason
		if c.Known() {
			line = fmt.Sprintf("%s, %s, %s, %s: %s", c.Server, c.Load, c.Metric.Title, c.Sized(), c.Reason)
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return append(append(lines, result.Notes...), compare.Caveats(result.Comparisons)...)
}
