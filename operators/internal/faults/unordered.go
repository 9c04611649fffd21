package faults

import (
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/store"
)

// Late is how much later than it was due a fault may be asked for: what it interrupts, and what is left of the phase, are others then.
const Late = 5 * time.Second

// Unordered says what befell the store's pods in a phase with faults that nobody ordered, or what was ordered and did not come to pass;
// empty where all went as it was to.
func Unordered(m *v1alpha1.Measurement, after []v1alpha1.StorePod) string {
	others := slices.Clone(m.Status.StorePods)
	for i, ordered := range m.Spec.Faults {
		known := find(m.Status.Faults, i)
		if known == nil {
			return fmt.Sprintf("fault %d (%s of node %d at %s) was not asked for while the load ran", i, ordered.Kind, ordered.Node, ordered.At.Duration)
		}
		if late := known.AskedAt.Sub(due(m, ordered)); late > Late {
			return fmt.Sprintf("fault %d (%s of node %d at %s) came %s late", i, ordered.Kind, ordered.Node, ordered.At.Duration, late.Round(time.Millisecond))
		}
		if fault := successor(*known, after); fault != "" {
			return fault
		}
		others = slices.DeleteFunc(others, func(p v1alpha1.StorePod) bool { return p.Name == known.Pod })
	}
	return store.Interruption(others, after)
}

// successor of a pod that was hit: it came, and nothing has happened to it since.
func successor(known v1alpha1.FaultStatus, after []v1alpha1.StorePod) string {
	if known.ReadyAt == nil {
		return fmt.Sprintf("store pod %s did not come back", known.Pod)
	}
	return store.Interruption([]v1alpha1.StorePod{{Name: known.Pod, UID: known.Successor, ReadySince: &metav1.Time{Time: known.ReadyAt.Time}}}, after)
}
