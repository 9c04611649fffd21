package faults

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults/helper"
	"ringside.dev/ringside/operators/internal/store"
)

// Unordered describes what happened to the store's pods without an order in a phase with faults, or an ordered fault that did not happen;
// empty if there is neither.
func Unordered(m *v1beta1.Measurement, after []v1beta1.StorePod) string {
	others := slices.Clone(m.Status.StorePods)
	for i, ordered := range m.Spec.Faults {
		known := find(m.Status.Faults, i)
		if known == nil {
			return fmt.Sprintf("%s was not asked for while the load ran", named(i, ordered))
		}
		if ordered.Kind.Timed() && known.UndoneAt == nil {
			return fmt.Sprintf("%s did not come to pass: %s", named(i, ordered), cmp.Or(known.Failure, "its helper has not ended"))
		}
		if late := known.Moment().Sub(due(m, ordered)); late > helper.Late {
			return fmt.Sprintf("%s came %s late", named(i, ordered), late.Round(time.Millisecond))
		}
		if fault := successor(m, *known, after); fault != "" {
			return fault
		}
		others = slices.DeleteFunc(others, func(p v1beta1.StorePod) bool { return p.Name == known.Pod })
	}
	return store.Interruption(others, after)
}

// named describes a fault by its values in the experiment file.
func named(index int, f v1beta1.FaultSpec) string {
	if f.Kind.Timed() {
		return fmt.Sprintf("fault %d (%s of node %d at %s for %s)", index, f.What(), f.Node, f.At.Duration, f.Lasts())
	}
	return fmt.Sprintf("fault %d (%s of node %d at %s)", index, f.What(), f.Node, f.At.Duration)
}

// successor returns why a pod with a fault did not return undisturbed; empty if it did. A pod that was not killed is its own successor,
// with its earlier restarts, and one more if its node was upgraded.
func successor(m *v1beta1.Measurement, known v1beta1.FaultStatus, after []v1beta1.StorePod) string {
	if known.ReadyAt == nil {
		return fmt.Sprintf("store pod %s did not return", known.Pod)
	}
	want := v1beta1.StorePod{Name: known.Pod, UID: known.Successor}
	if known.Successor != known.UID {
		want.ReadySince = &metav1.Time{Time: known.ReadyAt.Time}
		return store.Interruption([]v1beta1.StorePod{want}, after)
	}
	for _, was := range m.Status.StorePods {
		if was.UID == known.UID {
			want.Restarts = was.Restarts
		}
	}
	check := store.Interruption
	if m.Spec.Faults[known.Index].Upgrades() {
		check = store.NotKilledOnce
	}
	if fault := check([]v1beta1.StorePod{want}, after); fault != "" {
		return fault
	}
	if i := slices.IndexFunc(after, func(p v1beta1.StorePod) bool { return p.Name == known.Pod }); after[i].ReadySince.After(known.ReadyAt.Time) {
		return fmt.Sprintf("store pod %s was not ready for a while", known.Pod)
	}
	return ""
}
