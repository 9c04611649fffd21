package faults

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/faults/helper"
	"ringside.dev/ringside/operators/internal/store"
)

// Unordered says what befell the store's pods in a phase with faults that nobody ordered, or what was ordered and did not come to pass;
// empty where all went as it was to.
func Unordered(m *v1alpha1.Measurement, after []v1alpha1.StorePod) string {
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
		others = slices.DeleteFunc(others, func(p v1alpha1.StorePod) bool { return p.Name == known.Pod })
	}
	return store.Interruption(others, after)
}

// named as its document has it.
func named(index int, f v1alpha1.FaultSpec) string {
	if f.Kind.Timed() {
		return fmt.Sprintf("fault %d (%s of node %d at %s for %s)", index, f.What(), f.Node, f.At.Duration, f.Lasts())
	}
	return fmt.Sprintf("fault %d (%s of node %d at %s)", index, f.What(), f.Node, f.At.Duration)
}

// successor of a pod that was hit: it came, and nothing has happened to it since. One that was not killed is its own, restarts of before
// counted.
func successor(m *v1alpha1.Measurement, known v1alpha1.FaultStatus, after []v1alpha1.StorePod) string {
	if known.ReadyAt == nil {
		return fmt.Sprintf("store pod %s did not return", known.Pod)
	}
	want := v1alpha1.StorePod{Name: known.Pod, UID: known.Successor}
	if known.Successor != known.UID {
		want.ReadySince = &metav1.Time{Time: known.ReadyAt.Time}
		return store.Interruption([]v1alpha1.StorePod{want}, after)
	}
	for _, was := range m.Status.StorePods {
		if was.UID == known.UID {
			want.Restarts = was.Restarts
		}
	}
	if fault := store.Interruption([]v1alpha1.StorePod{want}, after); fault != "" {
		return fault
	}
	if i := slices.IndexFunc(after, func(p v1alpha1.StorePod) bool { return p.Name == known.Pod }); after[i].ReadySince.After(known.ReadyAt.Time) {
		return fmt.Sprintf("store pod %s was not ready for a while", known.Pod)
	}
	return ""
}
