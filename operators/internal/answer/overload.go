package answer

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare"
)

// overloaded names the phases with verdicts at a constant rate that a baseline missed in most of its measurements, where the gate only warns of that.
func overloaded(result *compare.Result) []string {
	return ofBaselines(result, func(c *compare.Comparison) bool {
		rows := compared(c.Arms()[0], func(cell compare.Cell) bool { return cell == c.Cell })
		missed := 0
		for _, row := range rows {
			if slices.Contains(row.WarningReasons, v1beta1.GateTargetRateMissed) {
				missed++
			}
		}
		return 2*missed > len(rows)
	}, func(phases, baseline string) string {
		return fmt.Sprintf("In %s, %s misses the constant rate in most measurements: figures there are those of an overload.", phases, baseline)
	})
}

// ofBaselines returns a sentence for each baseline of which something holds in a phase at a constant rate.
func ofBaselines(result *compare.Result, holds func(*compare.Comparison) bool, sentence func(phases, baseline string) string) []string {
	var baselines, out []string
	phases := map[string][]string{}
	for i := range result.Comparisons {
		c := &result.Comparisons[i]
		if !c.Primary || c.Cell.TargetRate == 0 || slices.Contains(phases[c.Baseline], c.Cell.Phase) || !holds(c) {
			continue
		}
		if phases[c.Baseline] == nil {
			baselines = append(baselines, c.Baseline)
		}
		phases[c.Baseline] = append(phases[c.Baseline], c.Cell.Phase)
	}
	for _, baseline := range baselines {
		out = append(out, sentence(listed(phases[baseline]), baseline))
	}
	return out
}
