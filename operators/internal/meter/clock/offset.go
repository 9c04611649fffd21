// Package clock estimates the offset of a clock to the API server's, which load pods, helpers of faults and the operator can read, so that their times
// can be aligned.
// A server reports its time in whole seconds; readings at the right moments find when the second changes.
package clock

import "time"

// Reading is one reading: when it was requested and answered, by the local clock, and the second that the server reported.
type Reading struct {
	Asked, Answered time.Time
	Server          time.Time
}

// Estimate is an estimate of the local clock's offset to the server's, positive if the local clock is ahead. The error is at most Error.
type Estimate struct {
	Offset, Error time.Duration
	// Known is false before the first reading, and if readings contradict each other because a clock was set.
	Known bool
}

// Micros returns the estimate in microseconds; nil if it is unknown.
func (e Estimate) Micros() (offset, wrong *int64) {
	if !e.Known {
		return nil, nil
	}
	return new(e.Offset.Microseconds()), new(e.Error.Microseconds())
}

// Of returns the estimate from readings. The server answered at some time between request and answer, within the reported second. Each
// reading therefore bounds the offset from both sides, and together they give a range.
func Of(readings []Reading) Estimate {
	if len(readings) == 0 {
		return Estimate{}
	}
	low, high := bounds(readings[0])
	for _, r := range readings[1:] {
		from, to := bounds(r)
		low, high = max(low, from), min(high, to)
	}
	if low > high {
		return Estimate{}
	}
	return Estimate{Offset: low + (high-low)/2, Error: (high - low) / 2, Known: true}
}

func bounds(r Reading) (low, high time.Duration) {
	second := r.Server.Truncate(time.Second)
	return r.Asked.Sub(second.Add(time.Second)), r.Answered.Sub(second)
}

// Next returns the time of the next reading that halves the range: when, by the estimate, the server's second changes.
func Next(e Estimate, now time.Time, trip time.Duration) time.Time {
	if !e.Known {
		return now
	}
	server := now.Add(trip / 2).Add(-e.Offset) // the server's time at which a request sent now arrives
	edge := server.Truncate(time.Second).Add(time.Second)
	return now.Add(edge.Sub(server))
}
