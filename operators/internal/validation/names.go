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
	report := func(a, b *plan.Cell, kind, name string) {
		at := pair{a.Spec.Server, a.Spec.Phase, b.Spec.Server, b.Spec.Phase}
		if reported[at] {
			return
		}
		reported[at] = true
		if at.aServer == at.bServer && at.aPhase == at.bPhase && a.Name == b.Name {
			problems = append(problems, problem.New("use each name of a server or phase once", "phase %s of server %s would be measured twice as %s", at.aPhase, at.aServer, name))
			return
		}
		problems = append(problems, problem.New("rename one of them", "phase %s of server %s and phase %s of server %s would share the %s %s",
			at.aPhase, at.aServer, at.bPhase, at.bServer, kind, name))
	}
	layout := plan.Build(experiment, 0)
	measurements, jobs := map[string]*plan.Cell{}, map[string]*plan.Cell{}
	for cell := range layout.All() {
		job := plan.JobName(cell.Name, 1)
		if other, there := measurements[cell.Name]; there {
			report(other, cell, "measurement", cell.Name)
		} else if other, there := jobs[job]; there {
			report(other, cell, "Job", job)
		}
		measurements[cell.Name], jobs[job] = cell, cell
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
