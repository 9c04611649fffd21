package accept

import (
	"cmp"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// checkFaultNodes counts the store's nodes in the rendered chart, and refuses a fault of one beyond them, and one that would end in another: a
// node that is silent for too long is restarted. A store whose pods the manifest does not show has none that the operator could tell by its number.
func checkFaultNodes(spec *v1alpha1.ExperimentSpec, manifest string) error {
	sets, err := storeSets(manifest)
	if err != nil {
		return err
	}
	nodes := int32(0)
	for _, set := range sets {
		replicas := int32(1)
		if set.Spec.Replicas != nil {
			replicas = *set.Spec.Replicas
		}
		nodes = max(nodes, replicas)
	}
	patience, ends := patienceOf(sets)
	claims := slices.ContainsFunc(sets, func(set appsv1.StatefulSet) bool { return len(set.Spec.VolumeClaimTemplates) > 0 })
	for _, phase := range spec.Phases {
		for i, fault := range phase.Faults {
			switch {
			case nodes == 0:
				return refuse("phase %s has faults, and the pods of store %s are no StatefulSet's, which would bring them back: take spec.phases.%s.faults out", phase.Name, spec.Store.Chart, phase.Name)
			case len(sets) > 1:
				return refuse("fault %d of phase %s is for node %d, and store %s has %d StatefulSets with such a node (%s): faults are for stores of one StatefulSet; take spec.phases.%s.faults out",
					i, phase.Name, fault.Node, spec.Store.Chart, len(sets), names(sets), phase.Name)
			case fault.Node >= nodes:
				return refuse("fault %d of phase %s is for node %d, and store %s has the nodes 0 to %d: choose one of them", i, phase.Name, fault.Node, spec.Store.Chart, nodes-1)
			case fault.Kind.OfVolume() && !claims:
				return refuse("fault %d of phase %s is of the volume of a node, and the nodes of store %s claim none: choose another kind, or let the store keep its data on volumes", i, phase.Name, spec.Store.Chart)
			case fault.Kind.Silences() && ends && fault.Lasts() >= patience:
				return refuse("fault %d of phase %s is to last %s, and the kubelet restarts a node of store %s that is silent for %s: make it shorter", i, phase.Name, fault.Lasts(), spec.Store.Chart, patience)
			}
		}
	}
	return nil
}

// patienceOf the kubelet with nodes that are silent, the shortest of all their containers: its first look may come right after they fell silent.
func patienceOf(sets []appsv1.StatefulSet) (shortest time.Duration, ends bool) {
	for _, set := range sets {
		for _, container := range set.Spec.Template.Spec.Containers {
			if container.LivenessProbe == nil {
				continue
			}
			if patience := patienceWith(container.LivenessProbe); !ends || patience < shortest {
				shortest, ends = patience, true
			}
		}
	}
	return shortest, ends
}

// patienceWith a probe, whose empty fields mean what Kubernetes' API reference says.
func patienceWith(probe *corev1.Probe) time.Duration {
	period, failures, timeout := cmp.Or(probe.PeriodSeconds, 10), cmp.Or(probe.FailureThreshold, 3), cmp.Or(probe.TimeoutSeconds, 1)
	return time.Duration((failures-1)*period+timeout) * time.Second
}

// names of StatefulSets.
func names(sets []appsv1.StatefulSet) string {
	var all []string
	for _, set := range sets {
		all = append(all, set.Name)
	}
	return strings.Join(all, ", ")
}
