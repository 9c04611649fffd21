package accept

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/release"
	"ringside.dev/ringside/operators/internal/store"
)

// checkKiller reads the store's pods from the rendered chart, where a phase is to kill them.
func checkKiller(spec *v1alpha1.ExperimentSpec, manifest string) error {
	at := slices.IndexFunc(spec.Phases, func(p v1alpha1.PhaseSpec) bool { return p.Recovery != nil })
	if at < 0 {
		return nil
	}
	sets, err := release.StatefulSets(manifest)
	if err != nil {
		return fmt.Errorf("read the rendered chart: %w", err)
	}
	return checkKillPort(spec.Store.Chart, spec.Phases[at].Name, sets)
}

// checkKillPort refuses to kill pods that plainly take no such order; of others the load says so.
func checkKillPort(chart, phase string, sets []appsv1.StatefulSet) error {
	if !lacking(sets, store.CanBeKilled) {
		return nil
	}
	return refuse("phase %s kills the store, and the pods of store %s have no port named %s to be told so: charts that can open one by --set spec.store.values.kill.enabled=true (charts/README.md says what such a port does)",
		phase, chart, v1alpha1.KillPortName)
}
