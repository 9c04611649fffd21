package plan

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// withProfiles adds the profiles at the end of every store that has the last round, after all measurements on it.
func (p Plan) withProfiles(experiment *v1beta1.Experiment, last int32) Plan {
	for i := range p.Stores {
		if store := &p.Stores[i]; store.Round == 0 || store.Round == last {
			store.Cells = append(store.Cells, profiles(experiment, *store, last)...)
		}
	}
	return p
}

// profiles returns the profiles of a store: for each phase, load and event, one of each server, in the order of the last round.
func profiles(experiment *v1beta1.Experiment, store Store, last int32) []Cell {
	at := place{store.Installation, last}
	servers := orderOf(experiment, store, last)
	var out []Cell
	for _, phase := range experiment.Spec.Phases {
		for _, point := range phase.Points() {
			for _, event := range phase.Profile {
				for _, server := range servers {
					out = append(out, profile(experiment, at, server, phase, point, event))
				}
			}
		}
	}
	return out
}

// profile returns the cell of a profile: the phase's ordinary load on one server, for the duration of the recording.
func profile(experiment *v1beta1.Experiment, at place, server v1beta1.ServerSpec, phase v1beta1.PhaseSpec, point v1beta1.Point, event v1beta1.ProfileEvent) Cell {
	const only = 1
	spec := measurementSpec(experiment, at, server, phase, point, only)
	spec.Profile = phase.ProfileOrder(event)
	spec.Operations, spec.Duration = 0, &metav1.Duration{Duration: spec.Profile.Load()}
	spec.Warmup, spec.AwaitCompactions = true, nil
	return Cell{
		Name:  measurementName(experiment.Name, at, server.Name, phase.Name+"-"+event.String(), point.Suffix, only),
		Phase: phase,
		Spec:  spec,
	}
}

// orderOf returns the servers in the order of a round.
func orderOf(experiment *v1beta1.Experiment, store Store, round int32) []v1beta1.ServerSpec {
	var order []string
	for _, cell := range store.Cells {
		if cell.Spec.Round == round && !slices.Contains(order, cell.Spec.Server) {
			order = append(order, cell.Spec.Server)
		}
	}
	var servers []v1beta1.ServerSpec
	for _, name := range order {
		at := slices.IndexFunc(experiment.Spec.Servers, func(s v1beta1.ServerSpec) bool { return s.Name == name })
		servers = append(servers, experiment.Spec.Servers[at])
	}
	return servers
}
