package validation

import (
	"cmp"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// checkFaultNodes counts the store's nodes in the rendered chart. It rejects a fault of a node that does not exist, and one that would lead to
// another fault: the kubelet restarts a node that is silent for too long. If the manifest does not show the store's pods, the operator could
// not identify a node by its number.
func checkFaultNodes(spec *v1beta1.ExperimentSpec, manifest string) error {
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
				return refuse(v1beta1.RefusedInvalidFault, "phase %s has faults, but the pods of store %s belong to no StatefulSet, which would recreate them: remove spec.phases.%s.faults", phase.Name, spec.Store.Name(), phase.Name)
			case len(sets) > 1:
				return refuse(v1beta1.RefusedInvalidFault, "fault %d of phase %s is for node %d, but store %s has %d StatefulSets with such a node (%s): faults are supported for stores of one StatefulSet; remove spec.phases.%s.faults",
					i, phase.Name, fault.Node, spec.Store.Name(), len(sets), names(sets), phase.Name)
			case fault.Node >= nodes:
				return refuse(v1beta1.RefusedInvalidFault, "fault %d of phase %s is for node %d, but store %s has the nodes 0 to %d: choose one of them", i, phase.Name, fault.Node, spec.Store.Name(), nodes-1)
			case fault.Kind.OfVolume() && !claims:
				return refuse(v1beta1.RefusedInvalidFault, "fault %d of phase %s acts on the volume of a node, but the nodes of store %s have none: choose another kind, or let the store keep its data on volumes", i, phase.Name, spec.Store.Name())
			case fault.Kind.Silences() && ends && fault.Lasts() >= patience:
				return refuse(v1beta1.RefusedInvalidFault, "fault %d of phase %s lasts %s, but the kubelet restarts a node of store %s that is silent for %s: use a shorter time", i, phase.Name, fault.Lasts(), spec.Store.Name(), patience)
			}
		}
	}
	return nil
}

// patienceOf returns how long the kubelet tolerates silent nodes, the shortest of all containers: its first probe may come right after they
// became silent.
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

// patienceWith returns how long the kubelet tolerates failures of a probe, with Kubernetes' defaults.
func patienceWith(probe *corev1.Probe) time.Duration {
	period, failures, timeout := cmp.Or(probe.PeriodSeconds, 10), cmp.Or(probe.FailureThreshold, 3), cmp.Or(probe.TimeoutSeconds, 1)
	return time.Duration((failures-1)*period+timeout) * time.Second
}

// names returns the names of StatefulSets.
func names(sets []appsv1.StatefulSet) string {
	var all []string
	for _, set := range sets {
		all = append(all, set.Name)
	}
	return strings.Join(all, ", ")
}
