package accept

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/release"
	"ringside.dev/ringside/operators/internal/store"
)

// checkCounters reads the store's pods from the rendered chart, where a search goes by the queue that they tell.
func checkCounters(spec *v1alpha1.ExperimentSpec, manifest string) error {
	at := slices.IndexFunc(spec.Phases, func(p v1alpha1.PhaseSpec) bool { return p.Capacity != nil && p.Capacity.By == v1alpha1.ByQueue })
	if at < 0 {
		return nil
	}
	sets, err := release.StatefulSets(manifest)
	if err != nil {
		return fmt.Errorf("read the rendered chart: %w", err)
	}
	return checkCountersPort(spec.Store.Chart, spec.Phases[at].Name, sets)
}

// checkCountersPort refuses to ask pods for their queue that plainly have no port for it; of others the load says so.
func checkCountersPort(chart, phase string, sets []appsv1.StatefulSet) error {
	if !lacking(sets, store.TellsCounters) {
		return nil
	}
	return refuse("phase %s searches by the queue, and the pods of store %s have no port named %s to tell it: search by Latency, or see store.values (charts/README.md says what such a port answers)",
		phase, chart, v1alpha1.CountersPortName)
}
