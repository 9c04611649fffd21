package validation

import (
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/results"
)

// killMargin is the minimum time of a phase after the kill: a load that has ended cannot observe the recovery.
const killMargin = 2 * time.Second

// checkRecoveries rejects phases in which the kill would not be the store's only one, or its cost would not be that of one server.
func checkRecoveries(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	before := ""
	for _, phase := range spec.Phases {
		if asked := phase.PrimaryMetric; asked != "" && (asked == results.RecoveryTime) != (phase.Recovery != nil) {
			problems = append(problems, problem.New("remove primaryMetric",
				"phase %s: primary metric %s: only a phase of type Recovery has %s, and it has no other primary metric", phase.Name, asked, results.RecoveryTime).Because(v1beta1.RefusedInvalidMetric))
		}
		if phase.Recovery == nil {
			continue
		}
		at := phase.Recovery.KillAfter.Duration
		switch {
		case at%time.Millisecond != 0:
			problems = append(problems, problem.New("use whole milliseconds, as in killAfter: 10s", "phase %s kills the store after %s", phase.Name, at))
		case phase.Lasts() < at+killMargin:
			problems = append(problems, problem.New("use a smaller killAfter, or a longer phase", "phase %s kills the store after %s, but must last %s longer than that", phase.Name, at, killMargin))
		case before != "" || phase.Repeats > 1 || len(phase.Points()) > 1:
			// Kubernetes delays the second restart of a container within minutes by ten seconds, the third by twenty: that would be measured.
			problems = append(problems, problem.New("kill it once, and use rounds (ROUNDS=), each of which has its own store",
				"phase %s kills the same store again, but Kubernetes delays the second restart of a container", phase.Name))
		}
		before = phase.Name
		if spec.Store.Hosting.AtOnce() {
			problems = append(problems, problem.New("--set spec.store.hosting=Dedicated", "phase %s kills the store, which is not possible with %s hosting", phase.Name, spec.Store.Hosting))
		}
	}
	return problems
}
