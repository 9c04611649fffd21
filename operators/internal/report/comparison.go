package report

import (
	"fmt"
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/compare"
)

// CompareRow is a server against the baseline under one load, a cell for each metric.
type CompareRow struct {
	Series       int
	Server, Load string
	AA           bool
	Rounds       int
	// Dropouts say which rounds are missing; empty where none is.
	Dropouts string
	Cells    []CompareCell
}

// CompareCell is a ratio, or a difference where the metric is compared so; empty where the metric could not be compared. Only the primary metric's has a verdict, and its statement.
// Published is what the published figures of the two have for the same ratio; empty where not both were published.
type CompareCell struct{ Ratio, Interval, Verdict, Statement, Reason, Published string }

func (b *builder) comparison() {
	result, err := compare.Within(b.run, compare.Defaults())
	if err != nil {
		return // one server: there is nothing to compare
	}
	b.result = result
	b.page.Differences = result.HasDifferences()
	metrics := result.Metrics()
	for _, metric := range metrics {
		b.page.Metrics = append(b.page.Metrics, metric.Title)
		b.page.Verdicts = append(b.page.Verdicts, slices.ContainsFunc(result.Comparisons, func(c compare.Comparison) bool {
			return c.Primary && c.Metric.Name == metric.Name
		}))
	}
	for _, cell := range b.cells() {
		for _, server := range b.page.Servers {
			row := CompareRow{Series: server.Series, Server: server.Name, Load: b.loadName(cell), Cells: make([]CompareCell, len(metrics))}
			for _, c := range result.Comparisons {
				if c.Cell != cell || c.Server != server.Name {
					continue
				}
				b.page.CompareTo, row.AA = c.Baseline, c.AA
				if row.Rounds == 0 || c.Primary {
					row.Rounds, row.Dropouts = c.Rounds, c.DropoutsText()
				}
				at := slices.IndexFunc(metrics, func(m compare.Metric) bool { return m.Name == c.Metric.Name })
				row.Cells[at] = compareCell(&c)
				b.page.PublishedRatios = b.page.PublishedRatios || row.Cells[at].Published != ""
			}
			if row.Rounds > 0 || row.Dropouts != "" {
				b.page.Comparison = append(b.page.Comparison, row)
			}
		}
	}
	b.page.CompareSay = append(b.page.CompareSay, result.Gaps...)
	for _, c := range result.Comparisons {
		if c.Reason != "" && c.Primary && c.Reason != c.Missing() { // which is a note
			say := c.Reason
			if c.Known() {
				say = fmt.Sprintf("%s, %s, %s: %s", c.Server, c.Load, c.Metric.Title, c.Reason)
			}
			if !slices.Contains(b.page.CompareSay, say) {
				b.page.CompareSay = append(b.page.CompareSay, say)
			}
		}
	}
	b.page.CompareSay = append(append(b.page.CompareSay, result.Notes...), compare.Caveats(result.Comparisons)...)
	b.page.CompareCSV = link(compareColumns, compareRows(result.Comparisons))
}

var compareColumns = []string{
	"server", "baseline", "operation", "threads", "target_rate", "metric", "ratio", "low", "high", "rounds", "verdict", "statement", "dropouts", "reason", "phase", "connections",
	"difference", "difference_low", "difference_high",
}

// compareRows are the comparisons, one to a row, as a spreadsheet wants them.
func compareRows(comparisons []compare.Comparison) [][]string {
	rows := make([][]string, len(comparisons))
	for i, c := range comparisons {
		ratios, differences := [3]string{}, [3]string{}
		for j, figure := range []float64{c.Ratio, c.Low, c.High} {
			if c.Difference {
				differences[j] = compare.Decimals(figure, 4)
			} else {
				ratios[j] = compare.Decimals(figure, 4)
			}
		}
		rows[i] = []string{
			c.Server, c.Baseline, c.Cell.Operation, fmt.Sprint(c.Cell.Threads), fmt.Sprint(c.Cell.TargetRate), c.Metric.Name,
			ratios[0], ratios[1], ratios[2], fmt.Sprint(c.Rounds), string(c.Verdict), c.Statement(), c.DropoutsText(), c.Reason,
			c.Cell.Phase, fmt.Sprint(c.Cell.Connections), differences[0], differences[1], differences[2],
		}
	}
	return rows
}

func compareCell(c *compare.Comparison) CompareCell {
	cell := CompareCell{Ratio: c.Effect(), Interval: "spread not known", Reason: c.Reason}
	if c.Primary {
		cell.Verdict, cell.Statement = string(c.Verdict), c.Statement()
	}
	if cell.Ratio == "" && c.Reason != "" {
		cell.Ratio, cell.Interval = "not known", "" // the reason is among the notes
	}
	if c.Known() {
		from, to, _ := c.Interval()
		cell.Interval = from + " to " + to
	}
	if !math.IsNaN(c.Published) {
		cell.Published = compare.Decimals(c.Published, 2)
	}
	return cell
}
