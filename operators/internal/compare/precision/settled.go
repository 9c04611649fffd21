package precision

import (
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// LeftOut returns the phases that are left out of the rounds after this one: those of earlier rounds, and those that reached their precision now,
// unless a phase that is still measured can depend on them. In a dedicated store that is any later phase, which finds only the data that was written
// before it. In a shared store, what a phase writes or breaks changes what all others measure: compactions, caches, hints.
func LeftOut(spec *v1beta1.ExperimentSpec, earlier []v1beta1.SettledPhase, reached []string, rounds int32) []v1beta1.SettledPhase {
	done := func(phase v1beta1.PhaseSpec) bool {
		return phase.Type == v1beta1.PhasePrepare || slices.Contains(names(earlier), phase.Name) || slices.Contains(reached, phase.Name)
	}
	out := slices.Clone(earlier)
	for i, phase := range spec.Phases {
		dependent := spec.Phases[i+1:]
		switch {
		case !spec.Store.Hosting.AtOnce():
		case leavesTraces(phase):
			dependent = spec.Phases
		default:
			dependent = nil
		}
		needed := slices.ContainsFunc(dependent, func(p v1beta1.PhaseSpec) bool { return !done(p) })
		if phase.Type != v1beta1.PhasePrepare && done(phase) && !needed && !slices.Contains(names(earlier), phase.Name) {
			out = append(out, v1beta1.SettledPhase{Phase: phase.Name, Rounds: rounds})
		}
	}
	return out
}

// leavesTraces reports whether a phase can change what others measure. Only reads, and rest, do not.
func leavesTraces(phase v1beta1.PhaseSpec) bool {
	return len(phase.Faults) > 0 || phase.Recovery != nil || phase.Type != v1beta1.PhaseIdle && phase.OperationName() != "read"
}

func names(settled []v1beta1.SettledPhase) []string {
	var names []string
	for _, s := range settled {
		names = append(names, s.Phase)
	}
	return names
}
