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
	"ringside.dev/ringside/operators/internal/store"
)

// settling is the time after the end of a fault in which the node's probes may still find it not ready: they run every few seconds, and
// their results are published late.
const settling = 30 * time.Second

// Seen returns the faults with what the pods show now, and whether that is new.
func Seen(m *v1beta1.Measurement, pods []corev1.Pod, now time.Time) (seen []v1beta1.FaultStatus, more bool) {
	seen = slices.Clone(m.Status.Faults)
	for i := range seen {
		f := &seen[i]
		at := slices.IndexFunc(pods, func(p corev1.Pod) bool { return p.Name == f.Pod })
		var pod *corev1.Pod
		if at >= 0 {
			pod = &pods[at]
		}
		if m.Spec.Faults[f.Index].Kind.Timed() {
			more = seeTimed(f, pod, HelperOf(m, *f)) || more
		} else {
			more = seeKill(f, pod, now) || more
		}
	}
	return seen, more
}

func seeKill(f *v1beta1.FaultStatus, pod *corev1.Pod, now time.Time) (more bool) {
	if f.GoneAt == nil && (pod == nil || string(pod.UID) != f.UID) {
		gone := metav1.NewMicroTime(now)
		f.GoneAt, more = &gone, true
	}
	if f.GoneAt == nil || f.ReadyAt != nil || pod == nil {
		return more
	}
	if since := store.PodReadySince(pod); since != nil {
		f.ReadyAt, f.Successor, more = &metav1.MicroTime{Time: since.Time}, string(pod.UID), true
	}
	return more
}

// seeTimed reads a fault with a duration from its helper's report, and from then on whether the node is ready.
func seeTimed(f *v1beta1.FaultStatus, pod *corev1.Pod, name string) (more bool) {
	switch {
	case f.Failure != "":
		return false
	case pod == nil || string(pod.UID) != f.UID:
		f.Failure = fmt.Sprintf("store pod %s disappeared", f.Pod)
		return true
	}
	if f.UndoneAt == nil {
		report := helper.Ended(pod, name)
		switch {
		case report == nil:
			return false
		case report.Error != "":
			f.Failure = shortened(report.Error)
			return true
		}
		f.ClockOffsetMicros, f.ClockErrorMicros = report.ClockOffsetMicros, report.ClockErrorMicros
		f.BeganAt, f.UndoneAt = &metav1.MicroTime{Time: report.BeganAt}, &metav1.MicroTime{Time: report.UndoneAt}
		more = true
	}
	since := store.PodReadySince(pod)
	if since == nil {
		return more
	}
	ready := since.Time
	if ready.Before(f.UndoneAt.Time) {
		ready = f.UndoneAt.Time
	}
	if f.ReadyAt == nil || ready.After(f.ReadyAt.Time) && ready.Sub(f.UndoneAt.Time) <= settling {
		f.ReadyAt, f.Successor, more = &metav1.MicroTime{Time: ready}, f.UID, true
	}
	return more
}

// shortened truncates a text to the size that the status allows.
func shortened(failure string) string {
	const room = 1000
	return strings.ToValidUTF8(failure[:min(len(failure), room)], "")
}
