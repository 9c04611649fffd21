package plan

import (
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// leastGrace is the least time beyond its duration for a load to start its tool, to connect, and to end its last operations.
const leastGrace = 5 * time.Minute

// Takes returns how long a load with a duration is meant to take, including its warm-up; 0 for one that operations bound.
func Takes(spec *v1beta1.MeasurementSpec) time.Duration {
	switch {
	case spec.Duration == nil:
		return 0
	case spec.Interleave == nil:
		return spec.Duration.Duration
	}
	return spec.Duration.Duration + spec.Interleave.Warmup.Duration
}

// Limit returns the time after its start at which a load counts as failed: load.timeout or, if it is less, the duration of the phase and a grace of
// half of it, at least leastGrace. The wait for compactions comes after it. A load that kills the store lasts until the store is back.
func Limit(load v1beta1.LoadSpec, spec *v1beta1.MeasurementSpec) time.Duration {
	takes := Takes(spec)
	if takes == 0 || spec.Recovery != nil {
		return load.Timeout.Duration
	}
	return min(load.Timeout.Duration, takes+max(takes/2, leastGrace))
}

// EndsBy returns the time by which the load of a measurement that has started must have ended or, once it has and its pods are settling, the wait for
// compactions.
func EndsBy(load v1beta1.LoadSpec, m *v1beta1.Measurement, settling bool) time.Time {
	limit := Limit(load, &m.Spec)
	if settling && m.Spec.AwaitCompactions != nil {
		limit += m.Spec.AwaitCompactions.Duration
	}
	return m.Status.StartAt.Add(limit)
}
