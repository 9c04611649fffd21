package validation

import (
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/problem"
)

// checkNames rejects measurements and stores that would share the name of an object, so that one would be lost: server a-b's phase c and
// server a's phase b-c, and long names that are shortened to the same one. A shortened name ends in a digest of the full name, which differs
// from round to round: all rounds and installations are checked.
func checkNames(experiment *v1beta1.Experiment) []problem.Problem {
	type pair struct{ aServer, aPhase, bServer, bPhase string }
	var problems []problem.Problem
	reported := map[pair]bool{}
	report := func(a, b *plan.Cell) {
		at := pair{a.Spec.Server, a.Spec.Phase, b.Spec.Server, b.Spec.Phase}
		if reported[at] {
			return
		}
		reported[at] = true
		if at.aServer == at.bServer && at.aPhase == at.bPhase {
			problems = append(problems, problem.New("use each name of a server or phase once", "phase %s of server %s would be measured twice as %s", at.aPhase, at.aServer, a.Name))
			return
		}
		problems = append(problems, problem.New("rename one of them", "phase %s of server %s and phase %s of server %s would share the measurement %s",
			at.aPhase, at.aServer, at.bPhase, at.bServer, a.Name))
	}
	layout := plan.Build(experiment, 0)
	measurements := map[string]*plan.Cell{}
	for cell := range layout.All() {
		if other, there := measurements[cell.Name]; there {
			report(other, cell)
		}
		measurements[cell.Name] = cell
	}
	releases := map[string]plan.Store{}
	for _, store := range layout.Stores {
		if other, there := releases[store.Release]; there {
			problems = append(problems, problem.New("rename one of their servers", "the stores of servers %v in round %d and %v in round %d would share the release %s",
				other.Servers, other.Round, store.Servers, store.Round, store.Release))
		}
		releases[store.Release] = store
	}
	return problems
}
