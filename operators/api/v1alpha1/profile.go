package v1alpha1

import "time"

// A profile's step is short: what it shows is where time goes, not how much of it there is.
const (
	// profileSeconds are recorded.
	profileSeconds = 15
	// profileWarmup of load before, at the least.
	profileWarmup = 3 * time.Second
	// profileSlack is for the pods to be asked, and asked again, while the load goes on.
	profileSlack = 2 * time.Second
)

// ProfileOrder is how the event is recorded under the phase's load: after its warm-up, where it has one.
func (p PhaseSpec) ProfileOrder(event ProfileEvent) *ProfileOrder {
	warmup := profileWarmup
	if p.Interleave != nil {
		warmup = max(warmup, p.Interleave.Warmup.Duration)
	}
	return &ProfileOrder{Event: event, WarmupSeconds: int32(warmup.Seconds()), Seconds: profileSeconds}
}

// Load is how long the load goes on for the recording.
func (o *ProfileOrder) Load() time.Duration {
	return time.Duration(o.WarmupSeconds+o.Seconds)*time.Second + profileSlack
}
