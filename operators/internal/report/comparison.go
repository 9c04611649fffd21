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

// CompareCell is a ratio; empty where the metric could not be compared. Only the primary metric's has a verdict, and its statement.
// Published is what the published figures of the two have for the same ratio; empty where not both were published.
type CompareCell struct{ Ratio, Interval, Verdict, Statement, Reason, Published string }

func (b *builder) comparison() {
	result, err := compare.Within(b.run, compare.Defaults())
	if err != nil {
		return // one server: there is nothing to compare
	}
	b.result = result
	metrics := slices.DeleteFunc(compare.MetricsOf(b.run.Rows), func(m compare.Metric) bool { return len(b.page.Summary) == 0 && !m.AtRest })
	for _, metric := range metrics {
		b.page.Metrics = append(b.page.Metrics, metric.Title)
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
			if row.Rounds > 0 {
				b.page.Comparison = append(b.page.Comparison, row)
			}
		}
	}
	for _, c := range result.Comparisons {
		if c.Reason != "" && c.Primary {
			say := c.Reason
			if c.Known() {
				say = fmt.Sprintf("%s, %s, %s: %s", c.Server, b.loadName(c.Cell), c.Metric.Title, c.Reason)
			}
			if !slices.Contains(b.page.CompareSay, say) {
				b.page.CompareSay = append(b.page.CompareSay, say)
			}
		}
	}
	b.page.CompareSay = append(b.page.CompareSay, result.Notes...)
	b.page.CompareCSV = link(compareColumns, compareRows(result.Comparisons))
}

var compareColumns = []string{
	"server", "baseline", "operation", "threads", "target_rate", "metric", "ratio", "low", "high", "rounds", "verdict", "statement", "dropouts", "reason", "phase", "connections",
}

// compareRows are the comparisons, one to a row, as a spreadsheet wants them.
func compareRows(comparisons []compare.Comparison) [][]string {
	rows := make([][]string, len(comparisons))
	for i, c := range comparisons {
		low, high := "", ""
		if c.Known() {
			low, high = compare.Decimals(c.Low, 4), compare.Decimals(c.High, 4)
		}
		rows[i] = []string{
			c.Server, c.Baseline, c.Cell.Operation, fmt.Sprint(c.Cell.Threads), fmt.Sprint(c.Cell.TargetRate), c.Metric.Name,
			compare.Decimals(c.Ratio, 4), low, high, fmt.Sprint(c.Rounds), string(c.Verdict), c.Statement(), c.DropoutsText(), c.Reason,
			c.Cell.Phase, fmt.Sprint(c.Cell.Connections),
		}
	}
	return rows
}

func compareCell(c *compare.Comparison) CompareCell {
	cell := CompareCell{Ratio: compare.Decimals(c.Ratio, 3), Interval: "spread not known", Reason: c.Reason}
	if c.Primary {
		cell.Verdict, cell.Statement = string(c.Verdict), c.Statement()
	}
	if c.Known() {
		cell.Interval = fmt.Sprintf("%.3f to %.3f", c.Low, c.High)
	}
	if !math.IsNaN(c.Published) {
		cell.Published = compare.Decimals(c.Published, 2)
	}
	return cell
}
