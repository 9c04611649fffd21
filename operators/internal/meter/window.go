package meter

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// window keeps the latest intervals of a load that cover its length.
type window struct {
	length    time.Duration
	intervals []measure.Interval
	// turns reports that the load is interleaved, so that only the lengths of the intervals count as time.
	turns bool
}

func (w *window) add(iv measure.Interval) {
	w.intervals = append(w.intervals, iv)
	if w.turns {
		for later := laterThanFirst(w.intervals); covered(later) >= w.length; later = laterThanFirst(w.intervals) {
			w.intervals = append(w.intervals[:0], later...)
		}
		return
	}
	oldest := iv.End.Add(-w.length)
	drop := 0
	for drop < len(w.intervals) && !w.intervals[drop].End.After(oldest) {
		drop++
	}
	w.intervals = append(w.intervals[:0], w.intervals[drop:]...)
}

// latest returns the merged histogram of a kind, and the time it covers; empty if there is none.
func (w *window) latest(kind v1beta1.LatencyKind) (*hdrhistogram.PackedHistogram, time.Duration, error) {
	var parts []*hdrhistogram.PackedHistogram
	var from, to time.Time
	for _, iv := range w.intervals {
		if iv.Tag.Kind != kind {
			continue
		}
		if len(parts) == 0 {
			from = iv.Start
		}
		parts, to = append(parts, iv.Histogram), iv.End
	}
	h, err := measure.Combine(parts...)
	if w.turns {
		return h, covered(w.intervals), err
	}
	return h, to.Sub(from), err
}

// laterThanFirst removes the first interval, in all its kinds.
func laterThanFirst(intervals []measure.Interval) []measure.Interval {
	for i := range intervals {
		if !intervals[i].Start.Equal(intervals[0].Start) {
			return intervals[i:]
		}
	}
	return nil
}

// covered returns the sum of the intervals' lengths. Several kinds of one interval count once.
func covered(intervals []measure.Interval) time.Duration {
	var sum time.Duration
	for i, iv := range intervals {
		if i == 0 || !iv.Start.Equal(intervals[i-1].Start) {
			sum += iv.End.Sub(iv.Start)
		}
	}
	return sum
}
