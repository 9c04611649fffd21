package validation

import (
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/results"
)

// checkIdle rejects idle phases with a load, and those whose figure would not be that of one server.
func checkIdle(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	for _, phase := range spec.Phases {
		if asked := phase.PrimaryMetric; asked != "" && (asked == results.CPUAtRest) != phase.Idle {
			problems = append(problems, problem.New("remove primaryMetric", "phase %s: primary metric %s: only an idle phase has %s, and it has no other primary metric", phase.Name, asked, results.CPUAtRest).Because(v1beta1.RefusedInvalidMetric))
		}
		if !phase.Idle {
			continue
		}
		switch {
		case phase.Duration == nil || phase.Duration.Duration <= 0:
			problems = append(problems, problem.New("set it in whole seconds, as in duration: 30s", "phase %s is idle, but has no duration", phase.Name))
		case phase.TargetRate > 0 || len(phase.SweepThreads)+len(phase.SweepConnections)+len(phase.SweepRates) > 0 || phase.Interleave != nil || phase.Capacity != nil:
			problems = append(problems, problem.New("remove them", "phase %s is idle, but has a rate, a sweep, a capacity search or windows", phase.Name))
		case phase.Prepare:
			problems = append(problems, problem.New("remove one of the two", "phase %s is idle, but prepares the store", phase.Name))
		}
		if hosted := hostedAtOnce(spec); hosted > 1 {
			problems = append(problems, problem.New("--set spec.store.hosting=Dedicated, or name one server with --server (SERVER=)",
				"phase %s is idle, but with %s hosting the CPU time at rest is that of all %d servers", phase.Name, spec.Store.Hosting, hosted))
		}
	}
	return problems
}
