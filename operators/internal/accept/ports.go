package accept

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/release"
	"ringside.dev/ringside/operators/internal/store"
)

// port of a store's pods, which a store may do without as long as no phase needs it.
type port struct {
	neededBy func(v1alpha1.PhaseSpec) bool
	has      func(corev1.PodTemplateSpec) bool
	// refusal for a chart without it.
	refusal func(phase, chart string) error
}

func ports() []port {
	return []port{
		{
			neededBy: func(p v1alpha1.PhaseSpec) bool { return len(p.Profile) > 0 },
			has:      store.GivesProfiles,
			refusal: func(phase, chart string) error {
				return refuse("phase %s asks for profiles, and the pods of store %s have no port named %s: --set spec.phases.%s.profile=null leaves them out (charts/README.md says what such a port answers)",
					phase, chart, v1alpha1.ProfilePortName, phase)
			},
		},
		{
			neededBy: func(p v1alpha1.PhaseSpec) bool { return p.Capacity != nil && p.Capacity.By == v1alpha1.ByQueue },
			has:      store.TellsCounters,
			refusal: func(phase, chart string) error {
				return refuse("phase %s searches by the queue, and the pods of store %s have no port named %s to tell it: search by Latency, or see store.values (charts/README.md says what such a port answers)",
					phase, chart, v1alpha1.CountersPortName)
			},
		},
		{
			neededBy: func(p v1alpha1.PhaseSpec) bool { return p.Recovery != nil },
			has:      store.CanBeKilled,
			refusal: func(phase, chart string) error {
				return refuse("phase %s kills the store, and the pods of store %s have no port named %s to be told so: charts that can open one by --set spec.store.values.kill.enabled=true (charts/README.md says what such a port does)",
					phase, chart, v1alpha1.KillPortName)
			},
		},
	}
}

// checkPorts reads the store's pods from the rendered chart, and refuses a phase that needs a port which they plainly do not have. What the
// manifest does not show, because the store's pods come from elsewhere, the load itself says.
func checkPorts(spec *v1alpha1.ExperimentSpec, manifest string) error {
	sets, err := storeSets(manifest)
	if err != nil {
		return err
	}
	for _, port := range ports() {
		at := slices.IndexFunc(spec.Phases, port.neededBy)
		if at >= 0 && lacking(sets, port.has) {
			return port.refusal(spec.Phases[at].Name, spec.Store.Chart)
		}
	}
	return nil
}

// lacking says that the manifest shows the store's pods, and that none of them has what is sought.
func lacking(sets []appsv1.StatefulSet, has func(corev1.PodTemplateSpec) bool) bool {
	return len(sets) > 0 && !slices.ContainsFunc(sets, func(set appsv1.StatefulSet) bool { return has(set.Spec.Template) })
}

// storeSets are the StatefulSets of the store's pods; none where the manifest does not show them.
func storeSets(manifest string) ([]appsv1.StatefulSet, error) {
	sets, err := release.StatefulSets(manifest)
	if err != nil {
		return nil, fmt.Errorf("read the rendered chart: %w", err)
	}
	return slices.DeleteFunc(sets, func(set appsv1.StatefulSet) bool {
		return set.Spec.Template.Labels[v1alpha1.LabelComponent] != v1alpha1.StoreComponent
	}), nil
}
