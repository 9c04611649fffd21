// Package faults decides when a node of the store is to be hit in a phase, and tells the deaths that were ordered from all others. It is pure.
package faults

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/faults/helper"
	"ringside.dev/ringside/operators/internal/plan"
)

// Next is the fault that is to be asked for now, or how long it is until the next one is due: nothing and 0 where none is left to be. One
// that an operator died over is asked for again while its pod lives: of the same life, so that its successor is never hit. One that lasts
// for a time is asked for as soon as the load's start is known, since its helper waits for the moment by itself.
func Next(m *v1alpha1.Measurement, pods []corev1.Pod, now time.Time) (ask *v1alpha1.FaultStatus, after time.Duration) {
	if m.Status.StartAt == nil {
		return nil, 0
	}
	for i, ordered := range m.Spec.Faults {
		if known := find(m.Status.Faults, i); known != nil {
			if again(m, ordered, *known, pods) {
				return &v1alpha1.FaultStatus{Index: known.Index, Pod: known.Pod, UID: known.UID, AskedAt: metav1.NewMicroTime(now)}, 0
			}
			continue
		}
		if left := due(m, ordered).Sub(now); left > 0 && !ordered.Kind.Timed() {
			if after == 0 || left < after {
				after = left
			}
			continue
		}
		if victim := podOf(m.Status.StorePods, ordered.Node); victim != nil && lives(pods, victim.UID) {
			return &v1alpha1.FaultStatus{Index: int32(i), Pod: victim.Name, UID: victim.UID, AskedAt: metav1.NewMicroTime(now)}, 0
		}
	}
	return nil, after
}

// again says whether a fault that is noted as asked for was not.
func again(m *v1alpha1.Measurement, ordered v1alpha1.FaultSpec, known v1alpha1.FaultStatus, pods []corev1.Pod) bool {
	if !ordered.Kind.Timed() {
		return known.GoneAt == nil && lives(pods, known.UID)
	}
	if known.UndoneAt != nil || known.Failure != "" {
		return false
	}
	pod := Living(pods, known.UID)
	return pod != nil && !helper.Asked(pod, HelperOf(m, known))
}

// HelperOf a fault: the name of the container that carries it out.
func HelperOf(m *v1alpha1.Measurement, known v1alpha1.FaultStatus) string {
	return plan.FaultHelper(m.Name, m.Status.Attempt, known.Index)
}

// OrderOf a fault to its helper.
func OrderOf(m *v1alpha1.Measurement, index int32) helper.Order {
	ordered := m.Spec.Faults[index]
	return helper.Order{Kind: ordered.Kind, At: due(m, ordered), For: ordered.Lasts(), Percent: ordered.Percent, Delay: ordered.Delays(), Leave: ordered.Leaves()}
}

// Pending says whether a node that was hit is still to come back.
func Pending(known []v1alpha1.FaultStatus) bool {
	return slices.ContainsFunc(known, func(f v1alpha1.FaultStatus) bool { return f.ReadyAt == nil && f.Failure == "" })
}

// Set what is known of a fault, in place of what was.
func Set(known []v1alpha1.FaultStatus, fault v1alpha1.FaultStatus) []v1alpha1.FaultStatus {
	known = slices.DeleteFunc(slices.Clone(known), func(f v1alpha1.FaultStatus) bool { return f.Index == fault.Index })
	return append(known, fault)
}

func due(m *v1alpha1.Measurement, ordered v1alpha1.FaultSpec) time.Time {
	return m.Status.StartAt.Add(ordered.At.Duration)
}

func find(known []v1alpha1.FaultStatus, index int) *v1alpha1.FaultStatus {
	i := slices.IndexFunc(known, func(f v1alpha1.FaultStatus) bool { return int(f.Index) == index })
	if i < 0 {
		return nil
	}
	return &known[i]
}

// podOf a node is the one whose name ends in its ordinal; nil where several do, as the pods of two StatefulSets: neither is hit by chance. (A run
// with faults of such a store is refused before it begins.)
func podOf(pods []v1alpha1.StorePod, node int32) *v1alpha1.StorePod {
	var found *v1alpha1.StorePod
	for i := range pods {
		if !strings.HasSuffix(pods[i].Name, fmt.Sprintf("-%d", node)) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &pods[i]
	}
	return found
}

func lives(pods []corev1.Pod, uid string) bool { return Living(pods, uid) != nil }

// Living is the pod in this life of it, where it is there and not being ended; else nil.
func Living(pods []corev1.Pod, uid string) *corev1.Pod {
	i := slices.IndexFunc(pods, func(p corev1.Pod) bool { return string(p.UID) == uid && p.DeletionTimestamp == nil })
	if i < 0 {
		return nil
	}
	return &pods[i]
}
