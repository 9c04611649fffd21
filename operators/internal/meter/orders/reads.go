package orders

import "ringside.dev/ringside/operators/api/v1beta1"

// ReadsIO reports whether meter reads the store's byte counters before and after the load: only if the load has the store to itself, and the store
// survives it.
func ReadsIO(spec v1beta1.MeasurementSpec) bool {
	return spec.Interleave == nil && !spec.Idle && spec.Recovery == nil && len(spec.Faults) == 0 && spec.Profile == nil
}
