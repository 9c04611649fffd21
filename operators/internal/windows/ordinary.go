package windows

import (
	"fmt"
	"time"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/table"
)

// Ordinary returns the half-widths of a run that was not interleaved, with the time that its measurements of each load took. They are those
// of the primary metric in compare, corrected for the number of servers.
func Ordinary(run *archive.Run, result *compare.Result) *table.Table {
	t := &table.Table{Columns: []table.Column{{Title: "LOAD", Name: "load"}, {Title: "METRIC", Name: "metric"}, {Title: "SERVER", Name: "server"}, {Title: "ROUNDS", Name: "rounds", Right: true},
		{Title: "RATIO", Name: "ratio", Right: true}, {Title: "IN", Name: "time", Right: true}, {Title: "3% AFTER", Name: "time_to_3_percent", Right: true}}}
	for i := range result.Comparisons {
		c := &result.Comparisons[i]
		if !c.Primary {
			continue
		}
		took := timeOf(run, c.Cell)
		halfWidth := c.HalfWidth()
		t.Add(table.Plain, c.Cell.String(), c.Metric.Name, c.Server, fmt.Sprint(c.Rounds),
			fmt.Sprintf("%.3f ±%s", c.Ratio, percent(halfWidth)), took.Round(time.Second).String(), until(0.03, halfWidth, took))
	}
	return t
}

// timeOf returns the time of all valid measurements of a load, without warm-ups.
func timeOf(run *archive.Run, cell compare.Cell) time.Duration {
	var sum time.Duration
	for i := range run.Rows {
		if row := &run.Rows[i]; !row.Warmup && row.Valid && compare.CellOf(row) == cell {
			sum += row.OperationTime.Value
		}
	}
	return sum
}
