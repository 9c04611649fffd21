package meter

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBucketsEqualThoseOfObservingEveryValue compares the wire format with that of client_golang's own histogram, which observes the middle
// of each value's HdrHistogram bucket.
func TestBucketsEqualThoseOfObservingEveryValue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, geometry := range []struct {
		lowest int64
		digits int
	}{{1, 3}, {1, 1}, {1000, 2}, {1, 5}} {
		// 2^(1/16) is the largest factor not above 1.05, so the library chooses our schema.
		observed := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "observed", NativeHistogramBucketFactor: 1.05})
		var ours nativeHistogram
		for range 5 {
			h := hdrhistogram.NewPacked(geometry.lowest, 3_600_000_000_000, geometry.digits)
			for range 1000 {
				v := int64(1) << r.IntN(36)
				v += r.Int64N(v)
				require.NoError(t, h.RecordValue(v))
			}
			require.NoError(t, h.RecordValue(0))
			ours.add(h)
			middle := bucketMiddles(h)
			dense := hdrhistogram.New(geometry.lowest, 3_600_000_000_000, geometry.digits)
			require.Zero(t, h.MergeInto(dense))
			for _, bar := range dense.Distribution() {
				if bar.Count == 0 {
					continue
				}
				require.Equal(t, bar.From+(bar.To-bar.From+1)/2, middle(bar.From), "the middle of the bucket from %d to %d", bar.From, bar.To)
				for range bar.Count {
					observed.Observe(float64(middle(bar.From)) / 1e9)
				}
			}
		}
		want := wire(t, observed)
		got, err := prometheus.NewConstNativeHistogram(prometheus.NewDesc("observed", "", nil, nil), ours.count, ours.sum, ours.buckets, nil, ours.zero, nativeSchema, nativeZeroThreshold, time.Now())
		require.NoError(t, err)
		have := wire(t, got)
		assert.Equal(t, want.GetSchema(), have.GetSchema())
		assert.Equal(t, want.GetZeroThreshold(), have.GetZeroThreshold())
		assert.Equal(t, want.GetZeroCount(), have.GetZeroCount())
		assert.Equal(t, want.GetSampleCount(), have.GetSampleCount())
		assert.InEpsilon(t, want.GetSampleSum(), have.GetSampleSum(), 1e-9)
		assert.Equal(t, want.GetPositiveSpan(), have.GetPositiveSpan())
		assert.Equal(t, want.GetPositiveDelta(), have.GetPositiveDelta())
	}
}

func wire(t *testing.T, m prometheus.Metric) *dto.Histogram {
	t.Helper()
	var out dto.Metric
	require.NoError(t, m.Write(&out))
	return out.GetHistogram()
}

func TestNativeBucketsHoldTheirUpperBound(t *testing.T) {
	assert.Equal(t, 0, nativeKey(1))
	assert.Equal(t, 1, nativeKey(1.0000001))
	assert.Equal(t, 16, nativeKey(2))
	assert.Equal(t, -16, nativeKey(0.5))
	assert.Equal(t, -15, nativeKey(0.5000001))
}
