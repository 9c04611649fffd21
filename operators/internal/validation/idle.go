package validation

import (
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/results"
)

// checkIdle rejects idle phases whose figure would not be that of one server.
func checkIdle(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	for _, phase := range spec.Phases {
		idle := phase.Type == v1beta1.PhaseIdle
		if asked := phase.PrimaryMetric; asked != "" && (asked == results.CPUAtRest) != idle {
			problems = append(problems, problem.New("remove primaryMetric", "phase %s: primary metric %s: only a phase of type Idle has %s, and it has no other primary metric", phase.Name, asked, results.CPUAtRest).Because(v1beta1.RefusedInvalidMetric))
		}
		if hosted := hostedAtOnce(spec); idle && hosted > 1 && spec.Store.Hosting == v1beta1.HostingShared {
			problems = append(problems, problem.New("--set spec.store.hosting=Dedicated, or name one server with --server (SERVER=)",
				"phase %s is idle, but with %s hosting the CPU time at rest is that of all %d servers", phase.Name, spec.Store.Hosting, hosted))
		}
	}
	return problems
}
