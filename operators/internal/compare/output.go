package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/table"
)

// Columns of comparison.csv that the terminal names too.
const (
	// PublishedColumn holds the published ratios.
	PublishedColumn = "published_ratio"
	// StatementColumn holds the verdicts in words.
	StatementColumn = "statement"
	// DropoutsColumn says which rounds are missing.
	DropoutsColumn = "dropouts"
)

// Table of the comparisons: what the terminal shows, and with WriteCSV the columns of comparison.csv.
func (r *Result) Table() *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Title: "BASELINE", Name: "baseline"},
		{Title: "SERVER", Name: "server"},
		{Title: "OPERATION", Name: "operation"},
		{Title: "METRIC", Name: "metric"},
		{Title: "RATIO", Name: "ratio", Right: true},
		{Title: "95% FROM", Name: "ci_low", Right: true},
		{Title: "TO", Name: "ci_high", Right: true},
		{Title: "DIFFERENCE", Name: "difference", Right: true},
		{Title: "BASE VALUE", Name: "baseline_value", Right: true},
		{Title: "VALUE", Name: "server_value", Right: true},
		{Title: "ROUNDS", Name: "rounds", Right: true},
		{Title: "VERDICT", Name: "verdict"},
		{Title: "SEEN FROM", Name: "mde", Right: true},
		{Title: "THREADS", Name: "threads", Right: true},
		{Title: "RATE", Name: "target_rate", Right: true},
		{Title: "A/A", Name: "aa"},
		{Title: "REASON", Name: "reason"},
		{Title: "PUBLISHED", Name: PublishedColumn, Right: true},
		{Title: "VERDICT", Name: StatementColumn},
		{Title: "ROUNDS LOST", Name: DropoutsColumn},
		{Title: "INSTALLATIONS", Name: "installations", Right: true},
		{Title: "PHASE", Name: "phase"},
		{Title: "CONNECTIONS", Name: "connections", Right: true},
		{Title: "ADJUSTED FOR", Name: "adjusted_for"},
		{Title: "95% FROM", Name: "difference_low", Right: true},
		{Title: "TO", Name: "difference_high", Right: true},
		{Title: "SETTINGS", Name: "settings_differ"},
	}}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		ratios, differences := c.columns()
		t.Add(styleOf(c), c.Baseline, c.Server, c.Cell.Operation, c.Metric.Name, ratios[0], ratios[1], ratios[2],
			c.Metric.format(c.Value-c.BaselineValue), c.Metric.format(c.BaselineValue), c.Metric.format(c.Value), strconv.Itoa(c.Rounds),
			string(c.Verdict), Decimals(c.Least, 3), strconv.Itoa(c.Cell.Threads), strconv.Itoa(c.Cell.TargetRate), strconv.FormatBool(c.AA), c.Reason, Decimals(c.Published, 3),
			c.Statement(), c.DropoutsText(), strconv.Itoa(c.Installations), c.Cell.Phase, strconv.Itoa(c.Cell.Connections), c.AdjustedFor,
			differences[1], differences[2], c.SettingsDiffer)
	}
	return t
}

// columns of the effect and the ends of its interval, as a ratio or as a difference; those of the other are empty.
func (c *Comparison) columns() (ratios, differences [3]string) {
	for i, figure := range []float64{c.Ratio, c.Low, c.High} {
		if c.Difference {
			differences[i] = c.Metric.format(figure)
		} else {
			ratios[i] = Decimals(figure, shownDecimals)
		}
	}
	return ratios, differences
}

// HasDifferences says that some metrics are compared by differences.
func (r *Result) HasDifferences() bool {
	return slices.ContainsFunc(r.Comparisons, func(c Comparison) bool { return c.Difference })
}

func styleOf(c *Comparison) table.Style {
	switch {
	case c.AA || !c.Primary:
		return table.Faint
	case c.Verdict == ratio.Faster:
		return table.Good
	case c.Verdict == ratio.Slower:
		return table.Bad
	}
	return table.Plain
}

// Decimals writes a number with n digits after the point; empty for one that is not known.
func Decimals(value float64, n int) string {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return ""
	}
	return strconv.FormatFloat(value, 'f', n, 64)
}

// WriteCSV writes comparison.csv.
func (r *Result) WriteCSV(w io.Writer) error {
	if err := r.Table().Write(w, "csv", false); err != nil {
		return fmt.Errorf("writing the comparison: %w", err)
	}
	return nil
}
