// Package clock estimates how far a pod's clock is from the API server's, which all load pods can ask: their logs are laid beside each
// other by their own clocks. A server tells its time in whole seconds; when its second changes is told by asking at the right moments.
package clock

import "time"

// Reading is one answer: when it was asked for and when it came, by the own clock, and the second that the server said it was.
type Reading struct {
	Asked, Answered time.Time
	Server          time.Time
}

// Estimate of the own clock's offset from the server's: positive where the own clock is ahead. The truth lies within Error of it.
type Estimate struct {
	Offset, Error time.Duration
	// Known is false before the first reading, and where readings contradict each other: a clock was set meanwhile.
	Known bool
}

// Of readings. The server answered at some moment between the question and the answer, in the second that it said: each reading bounds
// the offset from both sides, and together they leave a range.
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

// Next is when to ask again so as to halve what is left: when, by the estimate, the server's second changes.
func Next(e Estimate, now time.Time, trip time.Duration) time.Time {
	if !e.Known {
		return now
	}
	server := now.Add(trip / 2).Add(-e.Offset) // what the server's clock will say when it is asked now
	edge := server.Truncate(time.Second).Add(time.Second)
	return now.Add(edge.Sub(server))
}
