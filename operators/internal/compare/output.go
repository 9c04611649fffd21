package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Columns of comparison.csv to which the terminal output refers.
const (
	// PublishedColumn holds the published ratios.
	PublishedColumn = "published_ratio"
	// StatementColumn holds the verdicts in words.
	StatementColumn = "statement"
	// DropoutsColumn counts the missing rounds.
	DropoutsColumn = "dropouts"
)

// Table returns the comparisons as a table, which the terminal shows in part and comparison.csv in full.
func (r *Result) Table() *textfmt.Table {
	t := &textfmt.Table{Columns: []textfmt.Column{
		{Title: "BASELINE", Name: "baseline", About: "Server that the others are compared with."},
		{Title: "SERVER", Name: "server", About: "Server that is compared with the baseline."},
		{Title: "OPERATION", Name: "operation", About: "Operation of the phase."},
		{Title: "METRIC", Name: "metric", About: "Column of measurements.csv that is compared."},
		{Title: "RATIO", Name: "ratio", Right: true, About: "Ratio of the server's value to the baseline's, as a geometric mean over the rounds. Empty where the metric is compared by differences."},
		{Title: "95% FROM", Name: "ci_low", Right: true, About: "Lower end of the 95% confidence interval of the ratio. That of a primary metric is corrected for the number of servers."},
		{Title: "TO", Name: "ci_high", Right: true, About: "Upper end of the same interval."},
		{Title: "DIFFERENCE", Name: "difference", Right: true, About: "Difference server_value - baseline_value, in the metric's unit."},
		{Title: "BASE VALUE", Name: "baseline_value", Right: true, About: "Value of the baseline: the geometric mean over the rounds compared; the arithmetic mean where the metric is compared by differences."},
		{Title: "VALUE", Name: "server_value", Right: true, About: "Value of the server, likewise."},
		{Title: "ROUNDS", Name: "rounds", Right: true, About: "Rounds that the comparison rests on."},
		{Title: "VERDICT", Name: "verdict", About: "faster, slower, equivalent or unresolved for a primary metric; descriptive for all others. faster means better: a higher rate, a lower latency, less CPU time."},
		{Title: "MDE", Name: "mde", Right: true, About: "Minimum detectable effect: the smallest ratio above 1, or difference, that the run detects with 80% power. For a primary metric it is also beyond the noise of the A/A arm."},
		{Title: "THREADS", Name: "threads", Right: true, About: "Threads of the load."},
		{Title: "RATE", Name: "target_rate", Right: true, About: "Constant rate that was asked for, in operations per second; 0 for a closed loop."},
		{Title: "A/A", Name: "aa", About: "true for an A/A arm: the server is the baseline under a second name, so that its ratio is noise."},
		{Title: "REASON", Name: "reason", About: "Why a verdict is unresolved."},
		{Title: "PUBLISHED", Name: PublishedColumn, Right: true, About: "The ratio of the published figures of the two servers, where there are any."},
		{Title: "VERDICT", Name: StatementColumn, About: "The verdict in words, with what it covers."},
		{Title: "DROPOUTS", Name: DropoutsColumn, About: "Rounds in which one of the two has no valid value, with the number of all rounds."},
		{Title: "INSTALLATIONS", Name: "installations", Right: true, About: "Installations of the store that the comparison rests on."},
		{Title: "PHASE", Name: "phase", About: "Name of the phase."},
		{Title: "CONNECTIONS", Name: "connections", Right: true, About: "Connections of the load; 0 where there is one for each thread."},
		{Title: "ADJUSTED FOR", Name: "adjusted_for", About: "What the interval is adjusted for, such as machine speed; empty for nothing."},
		{Title: "95% FROM", Name: "difference_low", Right: true, About: "Lower end of the 95% confidence interval of the difference, where the metric is compared by differences."},
		{Title: "TO", Name: "difference_high", Right: true, About: "Upper end of the same interval."},
		{Title: "SETTINGS", Name: "settings_differ", About: "Settings in which the two ran differently; none where there are none, empty where that is not known."},
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

// columns returns the effect and the ends of its interval, as a ratio or as a difference. The cells of the other kind are empty.
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

// HasDifferences reports whether any metric is compared by differences.
func (r *Result) HasDifferences() bool {
	return slices.ContainsFunc(r.Comparisons, func(c Comparison) bool { return c.Difference })
}

func styleOf(c *Comparison) textfmt.Style {
	switch {
	case c.AA || !c.Primary:
		return textfmt.Faint
	case c.Verdict == ratio.Faster:
		return textfmt.Good
	case c.Verdict == ratio.Slower:
		return textfmt.Bad
	}
	return textfmt.Plain
}

// Decimals formats a number with n decimals; empty if it is unknown.
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
