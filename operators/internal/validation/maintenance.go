package validation

import (
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkMaintenance rejects tasks of maintenance that the store's chart does not offer.
func checkMaintenance(spec *v1beta1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
	offered := chart.Maintenance()
	var problems []problem.Problem
	for _, phase := range spec.Phases {
		for i, f := range phase.Faults {
			switch {
			case f.Kind != v1beta1.FaultMaintain || slices.Contains(offered, f.Task):
			case len(offered) == 0:
				problems = append(problems, problem.New("use another kind", "fault %d of phase %s is task %s, but store %s offers no tasks of maintenance", i, phase.Name, f.Task, chart.Name()))
			default:
				problems = append(problems, problem.New("use one of "+strings.Join(offered, ", "), "fault %d of phase %s is task %s, which store %s does not offer", i, phase.Name, f.Task, chart.Name()))
			}
		}
	}
	return problems
}
