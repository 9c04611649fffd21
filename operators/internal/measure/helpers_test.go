package measure

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

var epoch = time.Date(2026, 11, 21, 0, 15, 0, 0, time.UTC)

func at(seconds float64) time.Time {
	return epoch.Add(time.Duration(seconds * float64(time.Second)))
}

func histogramOf(t testing.TB, values ...int64) *hdrhistogram.PackedHistogram {
	t.Helper()
	h := hdrhistogram.NewPacked(1, highestValue, 3)
	for _, v := range values {
		require.NoError(t, h.RecordValue(v))
	}
	return h
}

// latencies draws values over six orders of magnitude, as in a load with a long tail.
func latencies(r *rand.Rand, n int) []int64 {
	values := make([]int64, n)
	for i := range values {
		values[i] = int64(50_000 * (1 + r.ExpFloat64()*10))
		if r.IntN(200) == 0 {
			values[i] *= int64(1 + r.IntN(5000))
		}
	}
	return values
}

func service(operation string) Tag { return Tag{Operation: operation, Kind: v1beta1.LatencyService} }

func interval(t testing.TB, from, to float64, tag Tag, values ...int64) Interval {
	return Interval{Start: at(from), End: at(to), Tag: tag, Histogram: histogramOf(t, values...)}
}

// steady returns a log of n intervals of one step, each with the given number of values of one millisecond.
func steady(t testing.TB, from, step float64, n, each int) *Log {
	var ivs []Interval
	for i := range n {
		h := hdrhistogram.NewPacked(1, highestValue, 3)
		require.NoError(t, h.RecordValues(1_000_000, int64(each)))
		ivs = append(ivs, Interval{Start: at(from + float64(i)*step), End: at(from + float64(i+1)*step), Tag: service("WRITE"), Histogram: h})
	}
	return NewLog(ivs)
}

func buckets(h *hdrhistogram.PackedHistogram) map[int64]int64 {
	m := map[int64]int64{}
	h.ForEachBucket(func(value, count int64) bool { m[value] = count; return true })
	return m
}
