package controller

import (
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/faults"
	"ringside.dev/ringside/operators/internal/store"
)

// interruption describes what befell the store's pods during a phase that was not to; empty when nothing did. Where they were to be killed, that
// they were not is as bad as any other death.
func interruption(measurement *v1alpha1.Measurement, present []v1alpha1.StorePod) string {
	switch {
	case measurement.Spec.Recovery != nil:
		return store.NotKilledOnce(measurement.Status.StorePods, present)
	case len(measurement.Spec.Faults) > 0:
		return faults.Unordered(measurement, present)
	}
	return store.Interruption(measurement.Status.StorePods, present)
}

// returns reports whether a store that was killed, or a node of it, is still to be seen as ready: its probes are later than the load, which it
// served again.
func returns(o observed, measurement *v1alpha1.Measurement, present []v1alpha1.StorePod) bool {
	away := store.ReadyPods(present) < o.nodes()
	switch {
	case measurement.Spec.Recovery != nil && away:
	case len(measurement.Status.Faults) > 0 && (away || faults.Pending(measurement.Status.Faults)):
	default:
		return false
	}
	for _, part := range partsOf(measurement) {
		if part.LastIntervalAt == nil || o.now.Sub(part.LastIntervalAt.Time) > o.experiment.Spec.Store.ReadyTimeout.Duration {
			return false
		}
	}
	return true
}
