package precision

import (
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// settled returns the phases that are left out of the rounds after this one: those of earlier rounds, and those that reached their precision
// now. In a dedicated store, a phase finds only the data that earlier phases of its round have written, so there a phase is left out only if
// all later ones are.
func settled(spec *v1beta1.ExperimentSpec, earlier []v1beta1.SettledPhase, reached []string, rounds int32) []v1beta1.SettledPhase {
	out := slices.Clone(earlier)
	needed := false
	for _, phase := range slices.Backward(spec.Phases) {
		switch {
		case phase.Type == v1beta1.PhasePrepare || slices.Contains(names(earlier), phase.Name):
		case !slices.Contains(reached, phase.Name):
			needed = !spec.Store.Hosting.AtOnce()
		case !needed:
			out = append(out, v1beta1.SettledPhase{Phase: phase.Name, Rounds: rounds})
		}
	}
	return out
}

func names(settled []v1beta1.SettledPhase) []string {
	var names []string
	for _, s := range settled {
		names = append(names, s.Phase)
	}
	return names
}
