// Package faults decides when a node of the store gets a fault in a phase, and distinguishes the effects of ordered faults from all others.
// It is pure.
package faults

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults/helper"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
)

// Next returns the fault to order now, for one of the pods, or the time until the next one is due; nil and 0 if none is left. If the operator
// ended while it ordered a fault, the fault is ordered again while the same pod lives, but never for its successor. A fault with a duration is
// ordered as soon as the load's start is known, because its helper waits for the moment.
func Next(m *v1beta1.Measurement, pods []corev1.Pod, now time.Time) (ask *v1beta1.FaultStatus, after time.Duration) {
	if m.Status.StartAt == nil {
		return nil, 0
	}
	for i, ordered := range m.Spec.Faults {
		if known := find(m.Status.Faults, i); known != nil {
			if again(m, ordered, *known, pods) {
				return &v1beta1.FaultStatus{Index: known.Index, Pod: known.Pod, UID: known.UID, AskedAt: metav1.NewMicroTime(now)}, 0
			}
			continue
		}
		if left := due(m, ordered).Sub(now); left > 0 && !ordered.Kind.Timed() {
			if after == 0 || left < after {
				after = left
			}
			continue
		}
		if victim := podOf(m.Status.StorePods, pods, ordered.Node); victim != nil {
			return &v1beta1.FaultStatus{Index: int32(i), Pod: victim.Name, UID: victim.UID, AskedAt: metav1.NewMicroTime(now)}, 0
		}
	}
	return nil, after
}

// again reports whether a recorded fault was not ordered in fact.
func again(m *v1beta1.Measurement, ordered v1beta1.FaultSpec, known v1beta1.FaultStatus, pods []corev1.Pod) bool {
	if !ordered.Kind.Timed() {
		return known.GoneAt == nil && lives(pods, known.UID)
	}
	if known.UndoneAt != nil || known.Failure != "" {
		return false
	}
	pod := Living(pods, known.UID)
	return pod != nil && !helper.Asked(pod, HelperOf(m, known))
}

// HelperOf returns the name of the container that carries out a fault.
func HelperOf(m *v1beta1.Measurement, known v1beta1.FaultStatus) string {
	return plan.FaultHelper(m.Name, m.Status.Attempt, known.Index)
}

// OrderOf returns the order for a fault's helper in a pod.
func OrderOf(m *v1beta1.Measurement, index int32, pod *corev1.Pod) helper.Order {
	ordered := m.Spec.Faults[index]
	order := helper.Order{Kind: ordered.Kind, At: due(m, ordered), For: ordered.Lasts(), Percent: ordered.Percent(), Delay: ordered.Delays(), Leave: ordered.Leaves(), Task: ordered.Task}
	if ordered.Kind == v1beta1.FaultMaintain {
		order.Port = store.MaintenancePort(pod.Spec)
	}
	return order
}

// Pending reports whether a node with a fault has not returned yet.
func Pending(known []v1beta1.FaultStatus) bool {
	return slices.ContainsFunc(known, func(f v1beta1.FaultStatus) bool { return f.ReadyAt == nil && f.Failure == "" })
}

// Set replaces what is known of a fault.
func Set(known []v1beta1.FaultStatus, fault v1beta1.FaultStatus) []v1beta1.FaultStatus {
	known = slices.DeleteFunc(slices.Clone(known), func(f v1beta1.FaultStatus) bool { return f.Index == fault.Index })
	return append(known, fault)
}

func due(m *v1beta1.Measurement, ordered v1beta1.FaultSpec) time.Time {
	return m.Status.StartAt.Add(ordered.At.Duration)
}

func find(known []v1beta1.FaultStatus, index int) *v1beta1.FaultStatus {
	i := slices.IndexFunc(known, func(f v1beta1.FaultStatus) bool { return int(f.Index) == index })
	if i < 0 {
		return nil
	}
	return &known[i]
}

// podOf returns the known pod that is alive and has a name that ends in the node's ordinal; nil if there are several, as for two StatefulSets, so
// that none is chosen at random. (A run with faults in such a store is rejected before it begins.)
func podOf(known []v1beta1.StorePod, alive []corev1.Pod, node int32) *v1beta1.StorePod {
	var found *v1beta1.StorePod
	for i := range known {
		if !strings.HasSuffix(known[i].Name, fmt.Sprintf("-%d", node)) || !lives(alive, known[i].UID) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &known[i]
	}
	return found
}

func lives(pods []corev1.Pod, uid string) bool { return Living(pods, uid) != nil }

// Living returns the pod with the UID, if it exists and is not terminating; else nil.
func Living(pods []corev1.Pod, uid string) *corev1.Pod {
	i := slices.IndexFunc(pods, func(p corev1.Pod) bool { return string(p.UID) == uid && p.DeletionTimestamp == nil })
	if i < 0 {
		return nil
	}
	return &pods[i]
}
