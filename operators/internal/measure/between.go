package measure

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// p99 is the percentile that is reported of a part of a load's time: higher ones need more answers than a short part has.
const p99 = 99

// P99Before returns the 99th percentile of the operations that ended before a moment, in whole intervals; empty if there are too few.
func P99Before(l *Log, kind v1beta1.LatencyKind, moment time.Time) (v1beta1.Decimal, error) {
	var parts []*hdrhistogram.PackedHistogram
	for _, iv := range l.Intervals {
		if (iv.Tag.Kind == kind || iv.Tag.Kind == Failed) && !iv.End.After(moment) {
			parts = append(parts, iv.Histogram)
		}
	}
	return p99Of(parts)
}

// P99Due returns the 99th percentile of the operations that were due from one time until another, whenever they ended; empty if there are too few, or
// the log's intervals are longer than that time. An operation was due when it ended less its time, and it ended in the middle of its interval, so
// that it may be counted up to half an interval off.
func P99Due(l *Log, kind v1beta1.LatencyKind, from, until time.Time) (v1beta1.Decimal, error) {
	if until.Sub(from) < stepOf(l) {
		return "", nil
	}
	var parts []*hdrhistogram.PackedHistogram
	for _, iv := range l.Intervals {
		if iv.Tag.Kind != kind && iv.Tag.Kind != Failed {
			continue
		}
		middle := spanOf(iv).middle()
		if middle.Before(from) {
			continue
		}
		part := hdrhistogram.NewPacked(iv.Histogram.LowestTrackableValue(), iv.Histogram.HighestTrackableValue(), int(iv.Histogram.SignificantFigures()))
		var wrong error
		iv.Histogram.ForEachBucket(func(value, count int64) bool {
			if due := middle.Add(-time.Duration(value)); !due.Before(from) && due.Before(until) {
				wrong = part.RecordValues(value, count)
			}
			return wrong == nil
		})
		if wrong != nil {
			return "", wrong
		}
		parts = append(parts, part)
	}
	return p99Of(parts)
}

func p99Of(parts []*hdrhistogram.PackedHistogram) (v1beta1.Decimal, error) {
	all, err := Combine(parts...)
	if err != nil || !Supported(all.TotalCount(), p99) {
		return "", err
	}
	return Millis(ValueAt(all, p99)), nil
}
