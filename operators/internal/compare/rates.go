package compare

import (
	"fmt"
	"math"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// alikeRates is the largest ratio of two op rates whose latencies are compared without a note.
const alikeRates = 1.1

// noteRates notes the op rates at which latencies were measured, if a closed loop drove the servers and their rates differ: each server
// then had a different load, on which its latency depends.
func (r *Result) noteRates() {
	for i := range r.Comparisons {
		rates := &r.Comparisons[i]
		if rates.Metric.Name != opRate || rates.AA || rates.Cell.LatencyKind != v1beta1.LatencyService || rates.Cell.TargetRate != 0 {
			continue
		}
		if apart := math.Abs(math.Log(rates.Value / rates.BaselineValue)); !(apart > math.Log(alikeRates)) {
			continue
		}
		for j := range r.Comparisons {
			c := &r.Comparisons[j]
			if c.Metric.Percentile > 0 && c.Cell == rates.Cell && c.Server == rates.Server && c.Baseline == rates.Baseline && !math.IsNaN(c.Ratio) {
				c.otherLoad = fmt.Sprintf("%s, %s: latencies are at %s ops/s, and those of %s at %s ops/s: a closed loop offers each server another load; compare latencies at a constant rate (targetRate)",
					c.Server, c.Load, rates.Metric.format(rates.Value), c.Baseline, rates.Metric.format(rates.BaselineValue))
			}
		}
	}
}
