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

// checkProfiler reads the store's pods from the rendered chart, where a phase asks for profiles of them.
func checkProfiler(spec *v1alpha1.ExperimentSpec, manifest string) error {
	at := slices.IndexFunc(spec.Phases, func(p v1alpha1.PhaseSpec) bool { return len(p.Profile) > 0 })
	if at < 0 {
		return nil
	}
	sets, err := release.StatefulSets(manifest)
	if err != nil {
		return fmt.Errorf("read the rendered chart: %w", err)
	}
	return checkProfilePort(spec.Store.Chart, spec.Phases[at].Name, sets)
}

// lacking says that the manifest shows the store's pods, and that none of them has what is sought.
func lacking(sets []appsv1.StatefulSet, has func(corev1.PodTemplateSpec) bool) bool {
	known := false
	for _, set := range sets {
		if set.Spec.Template.Labels["app.kubernetes.io/component"] != v1alpha1.StoreComponent {
			continue
		}
		if has(set.Spec.Template) {
			return false
		}
		known = true
	}
	return known
}

// checkProfilePort refuses to ask for profiles of pods that plainly have no port for it. What the manifest does not show, because the store's
// pods come from elsewhere, the profile itself says.
func checkProfilePort(chart, phase string, sets []appsv1.StatefulSet) error {
	if !lacking(sets, store.GivesProfiles) {
		return nil
	}
	return refuse("phase %s asks for profiles, and the pods of store %s have no port named %s: --set spec.phases.%s.profile=null leaves them out (charts/README.md says what such a port answers)",
		phase, chart, v1alpha1.ProfilePortName, phase)
}
