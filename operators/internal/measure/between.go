package measure

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// p99 is the percentile that is reported of a part of a load's time: higher ones need more answers than a short part has.
const p99 = 99

// P99Between returns the 99th percentile of the intervals with their middle from one time until another, over all operations; empty if it
// has too few values.
func P99Between(l *Log, kind v1beta1.LatencyKind, from, until time.Time) (v1beta1.Decimal, error) {
	var parts []*hdrhistogram.PackedHistogram
	for _, iv := range l.Intervals {
		if middle := spanOf(iv).middle(); iv.Tag.Kind == kind && !middle.Before(from) && middle.Before(until) {
			parts = append(parts, iv.Histogram)
		}
	}
	if len(parts) == 0 {
		return "", nil
	}
	all, err := Combine(parts...)
	if err != nil || !Supported(all.TotalCount(), p99) {
		return "", err
	}
	return Millis(ValueAt(all, p99)), nil
}
