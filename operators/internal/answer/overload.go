package answer

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
)

// overloaded names the phases with verdicts at a constant rate that the baseline missed in most of its measurements, where the gate only warns of that;
// empty if there are none.
func overloaded(run *archive.Run, result *compare.Result) string {
	var phases []string
	for i := range result.Comparisons {
		c := &result.Comparisons[i]
		if !c.Primary || c.Cell.TargetRate == 0 || slices.Contains(phases, c.Cell.Phase) {
			continue
		}
		rows := compared(run, c.Baseline, func(cell compare.Cell) bool { return cell == c.Cell })
		missed := 0
		for _, row := range rows {
			if slices.Contains(row.WarningReasons, v1beta1.GateTargetRateMissed) {
				missed++
			}
		}
		if 2*missed > len(rows) {
			phases = append(phases, c.Cell.Phase)
		}
	}
	if len(phases) == 0 {
		return ""
	}
	return fmt.Sprintf("In %s, %s misses the constant rate in most measurements: figures there are those of an overload.",
		listed(phases), result.Comparisons[0].Baseline)
}
