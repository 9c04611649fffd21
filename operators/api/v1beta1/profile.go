package v1beta1

import "time"

// Times of a profile's step. It is short, because it shows where time is spent, not how much.
const (
	// profileSeconds is the time of a recording.
	profileSeconds = 15
	// profileWarmup is the minimum time of load before a recording.
	profileWarmup = 3 * time.Second
	// profileSlack is the time for requests to the pods, and their retries, under load.
	profileSlack = 2 * time.Second
)

// ProfileOrder returns the request for a profile of the event under the phase's load, after the phase's warm-up if it has one.
func (p PhaseSpec) ProfileOrder(event ProfileEvent) *ProfileOrder {
	warmup := profileWarmup
	if p.Interleave != nil {
		warmup = max(warmup, p.Interleave.Warmup.Duration)
	}
	return &ProfileOrder{Event: event, WarmupSeconds: int32(warmup.Seconds()), Seconds: profileSeconds}
}

// Load returns how long the load lasts for the recording.
func (o *ProfileOrder) Load() time.Duration {
	return time.Duration(o.WarmupSeconds+o.Seconds)*time.Second + profileSlack
}
