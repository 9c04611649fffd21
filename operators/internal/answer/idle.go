package answer

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// almostIdle is the share of a closed loop's op rate below which a store's cost is mostly that of waiting for work. A write with Cassandra 4.1 takes
// seven times the CPU time at 7% of its op rate (docs/results/cassandra-versions.md).
const almostIdle = 0.2

// idle names the phases with verdicts at a constant rate that is far below what the baseline answers in a closed loop of the same run; empty if
// there are none.
func idle(run *archive.Run, result *compare.Result) string {
	var phases []string
	most := 0.0
	for i := range result.Comparisons {
		c := &result.Comparisons[i]
		if !c.Primary || c.Cell.TargetRate == 0 || slices.Contains(phases, c.Cell.Phase) {
			continue
		}
		share := opRate(run, c.Baseline, func(cell compare.Cell) bool { return cell == c.Cell }) /
			opRate(run, c.Baseline, func(cell compare.Cell) bool { return cell.TargetRate == 0 && cell.Operation == c.Cell.Operation })
		if share < almostIdle { // not if one of them is unknown
			phases, most = append(phases, c.Cell.Phase), max(most, share)
		}
	}
	if len(phases) == 0 {
		return ""
	}
	return fmt.Sprintf("In %s, %s gets at most %s of what it answers in a closed loop: verdicts there are of stores that are almost idle.",
		listed(phases), result.Comparisons[0].Baseline, textfmt.Percent(most, 0))
}

// opRate returns the mean op rate of a server's compared measurements under such loads; not a number if there are none.
func opRate(run *archive.Run, server string, such func(compare.Cell) bool) float64 {
	var rates []float64
	for _, row := range compared(run, server, such) {
		if row.OpRate.Known {
			rates = append(rates, row.OpRate.Value)
		}
	}
	if len(rates) == 0 {
		return math.NaN()
	}
	return stat.Mean(rates, nil)
}

// compared returns a server's compared measurements under such loads.
func compared(run *archive.Run, server string, such func(compare.Cell) bool) []*results.Row {
	var out []*results.Row
	for i := range run.Rows {
		row := &run.Rows[i]
		if row.Server == server && row.Valid && !row.Warmup && row.Profile == "" && such(compare.CellOf(row)) {
			out = append(out, row)
		}
	}
	return out
}
