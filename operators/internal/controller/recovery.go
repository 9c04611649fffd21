package controller

import (
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults"
	"ringside.dev/ringside/operators/internal/store"
)

// interruption describes an unintended change of the store's pods during a phase; empty if there was none. In a phase
// that kills them, a pod that was not killed counts as well.
func interruption(measurement *v1beta1.Measurement, present []v1beta1.StorePod) string {
	switch {
	case measurement.Spec.Recovery != nil:
		return store.NotKilledOnce(measurement.Status.StorePods, present)
	case len(measurement.Spec.Faults) > 0:
		return faults.Unordered(measurement, present)
	}
	return store.Interruption(measurement.Status.StorePods, present)
}

// returns reports whether a killed store, or one of its nodes, is still expected to become ready: readiness probes
// succeed later than the load's requests.
func returns(o observed, measurement *v1beta1.Measurement, present []v1beta1.StorePod) bool {
	away := store.ReadyPods(present) < o.nodes()
	switch {
	case measurement.Spec.Recovery != nil && away:
	case len(measurement.Status.Faults) > 0 && (away || faults.Pending(measurement.Status.Faults)):
	default:
		return false
	}
	for _, part := range o.parts[measurement.Name] {
		if part.LastIntervalAt == nil || o.now.Sub(part.LastIntervalAt.Time) > o.experiment.Spec.Store.ReadyTimeout.Duration {
			return false
		}
	}
	return true
}
