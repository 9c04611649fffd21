package meter

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
)

// window keeps the latest intervals of a load: as many as it takes to cover its length.
type window struct {
	length    time.Duration
	intervals []measure.Interval
}

func (w *window) add(iv measure.Interval) {
	w.intervals = append(w.intervals, iv)
	oldest := iv.End.Add(-w.length)
	drop := 0
	for drop < len(w.intervals) && !w.intervals[drop].End.After(oldest) {
		drop++
	}
	w.intervals = append(w.intervals[:0], w.intervals[drop:]...)
}

// latest is the merged histogram of a kind, and the time it covers. It is empty when there is none.
func (w *window) latest(kind v1alpha1.LatencyKind) (*hdrhistogram.PackedHistogram, time.Duration, error) {
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
	return h, to.Sub(from), err
}
