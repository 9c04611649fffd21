package answer

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// almostIdle is the share of a closed loop's op rate below which a store's cost is mostly that of waiting for work. A write with Cassandra 4.1 takes
// seven times the CPU time at 7% of its op rate (docs/results/cassandra-versions.md).
const almostIdle = 0.2

// idle names the phases with verdicts at a constant rate that is far below what the baseline answers in a closed loop of the same run.
func idle(result *compare.Result) []string {
	most := map[string]float64{}
	return ofBaselines(result, func(c *compare.Comparison) bool {
		share := opRate(c.Arms()[0], func(cell compare.Cell) bool { return cell == c.Cell }) /
			opRate(c.Arms()[0], func(cell compare.Cell) bool { return cell.TargetRate == 0 && cell.Operation == c.Cell.Operation })
		if !(share < almostIdle) { // or one of them is unknown
			return false
		}
		most[c.Baseline] = max(most[c.Baseline], share)
		return true
	}, func(phases, baseline string) string {
		return fmt.Sprintf("In %s, %s gets at most %s of what it answers in a closed loop: verdicts there are of stores that are almost idle.",
			phases, baseline, textfmt.Percent(most[baseline], 0))
	})
}

// opRate returns the mean op rate of an arm's valid measurements under such loads; not a number if there are none.
func opRate(arm compare.Arm, such func(compare.Cell) bool) float64 {
	var rates []float64
	for _, row := range compared(arm, such) {
		if row.OpRate.Known {
			rates = append(rates, row.OpRate.Value)
		}
	}
	if len(rates) == 0 {
		return math.NaN()
	}
	return stat.Mean(rates, nil)
}

// compared returns an arm's valid measurements under such loads.
func compared(arm compare.Arm, such func(compare.Cell) bool) []*results.Row {
	var out []*results.Row
	for i := range arm.Run.Rows {
		row := &arm.Run.Rows[i]
		if row.Server == arm.Server && row.Valid && !row.Warmup && row.Profile == "" && such(compare.CellOf(row)) {
			out = append(out, row)
		}
	}
	return out
}
