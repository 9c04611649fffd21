package validation

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/store"
	"ringside.dev/ringside/operators/internal/storechart"
)

// port is an optional port of a store's pods, which some phases need.
type port struct {
	neededBy func(v1beta1.PhaseSpec) bool
	has      func(corev1.PodTemplateSpec) bool
	// refusal returns the error for a chart without it.
	refusal func(phase, chart string) error
}

func ports() []port {
	return []port{
		{
			neededBy: func(p v1beta1.PhaseSpec) bool { return len(p.Profile) > 0 },
			has:      store.GivesProfiles,
			refusal: func(phase, chart string) error {
				return refuse(v1beta1.RefusedPortMissing, "phase %s asks for profiles, but the pods of store %s have no port named %s: --set spec.phases.%s.profile=null removes them (docs/reference/store-contract.md describes the port)",
					phase, chart, v1beta1.ProfilePortName, phase)
			},
		},
		{
			neededBy: func(p v1beta1.PhaseSpec) bool { return p.Capacity != nil && p.Capacity.By == v1beta1.ByQueue },
			has:      store.TellsCounters,
			refusal: func(phase, chart string) error {
				return refuse(v1beta1.RefusedPortMissing, "phase %s searches for a capacity by the queue, but the pods of store %s have no port named %s to report it: use capacity.by=Latency, or see store.values (docs/reference/store-contract.md describes the port)",
					phase, chart, v1beta1.CountersPortName)
			},
		},
		{
			neededBy: func(p v1beta1.PhaseSpec) bool { return p.AwaitCompactions != nil },
			has:      store.TellsCounters,
			refusal: func(phase, chart string) error {
				return refuse(v1beta1.RefusedPortMissing, "phase %s awaits the end of compactions, but the pods of store %s have no port named %s to report them: --set spec.phases.%s.awaitCompactions=null removes the wait (docs/reference/store-contract.md describes the port)",
					phase, chart, v1beta1.CountersPortName, phase)
			},
		},
		{
			neededBy: func(p v1beta1.PhaseSpec) bool { return p.Recovery != nil },
			has:      store.CanBeKilled,
			refusal: func(phase, chart string) error {
				return refuse(v1beta1.RefusedPortMissing, "phase %s kills the store, but the pods of store %s have no port named %s: if the chart supports it, --set spec.store.values.kill.enabled=true opens it (docs/reference/store-contract-faults.md describes the port)",
					phase, chart, v1beta1.KillPortName)
			},
		},
		{
			neededBy: func(p v1beta1.PhaseSpec) bool {
				return slices.ContainsFunc(p.Faults, func(f v1beta1.FaultSpec) bool { return f.Kind == v1beta1.FaultMaintain })
			},
			has: store.CanBeMaintained,
			refusal: func(phase, chart string) error {
				return refuse(v1beta1.RefusedPortMissing, "phase %s has the store maintain itself, but the pods of store %s have no port named %s: if the chart supports it, --set spec.store.values.maintenance.enabled=true opens it (docs/reference/store-contract-faults.md describes the port)",
					phase, chart, v1beta1.MaintenancePortName)
			},
		},
	}
}

// checkPorts reads the store's pods from the rendered chart, and rejects a phase that needs a port which they do not have. If the manifest does
// not show the pods, because they are created elsewhere, the load reports a missing port.
func checkPorts(spec *v1beta1.ExperimentSpec, manifest string) error {
	sets, err := storeSets(manifest)
	if err != nil {
		return err
	}
	for _, port := range ports() {
		at := slices.IndexFunc(spec.Phases, port.neededBy)
		if at >= 0 && lacking(sets, port.has) {
			return port.refusal(spec.Phases[at].Name, spec.Store.Name())
		}
	}
	return nil
}

// lacking reports whether the manifest shows the store's pods and none of them has the port.
func lacking(sets []appsv1.StatefulSet, has func(corev1.PodTemplateSpec) bool) bool {
	return len(sets) > 0 && !slices.ContainsFunc(sets, func(set appsv1.StatefulSet) bool { return has(set.Spec.Template) })
}

// storeSets returns the StatefulSets of the store's pods; none if the manifest does not show them.
func storeSets(manifest string) ([]appsv1.StatefulSet, error) {
	sets, err := storechart.StatefulSets(manifest)
	if err != nil {
		return nil, fmt.Errorf("read the rendered chart: %w", err)
	}
	return slices.DeleteFunc(sets, func(set appsv1.StatefulSet) bool {
		return set.Spec.Template.Labels[v1beta1.LabelComponent] != v1beta1.StoreComponent
	}), nil
}
