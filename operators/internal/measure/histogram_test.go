package measure

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestCombinedPartsEqualTheHistogramOfAllValues(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		all := latencies(r, 1+r.IntN(2000))
		var parts []*hdrhistogram.PackedHistogram
		for rest := all; len(rest) > 0; {
			n := 1 + r.IntN(len(rest))
			part := hdrhistogram.NewPacked(1, max(slices.Max(rest[:n]), 2), 3) // only as wide as necessary, like Java's auto-resizing histograms
			for _, v := range rest[:n] {
				require.NoError(t, part.RecordValue(v))
			}
			parts, rest = append(parts, part), rest[n:]
		}
		sum, err := Combine(parts...)
		require.NoError(t, err)
		whole := histogramOf(t, all...)
		require.Equal(t, buckets(whole), buckets(sum), "seed %d", seed)
		require.Equal(t, int64(len(all)), sum.TotalCount())
		for _, p := range []float64{0, 1, 50, 95, 99, 99.9, 99.999, 100} {
			require.Equal(t, ValueAt(whole, p), ValueAt(sum, p), "seed %d percentile %v", seed, p)
		}
	}
}

func TestRefusesAMergeThatWouldNotBeExact(t *testing.T) {
	_, err := Combine(histogramOf(t, 5), hdrhistogram.NewPacked(1, 1000, 2))
	assert.ErrorContains(t, err, "3 and 2 significant digits")
	_, err = Combine(histogramOf(t, 5), hdrhistogram.NewPacked(1000, highestValue, 3))
	assert.ErrorContains(t, err, "cannot be merged exactly")
}

// TestPercentilesAreNearestRanks compares with the definition on sorted values: the value of rank ceil(p/100·n), to three digits.
func TestPercentilesAreNearestRanks(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 2))
		values := latencies(r, 1+r.IntN(5000))
		h := histogramOf(t, values...)
		slices.Sort(values)
		for _, permille := range []int{1, 250, 500, 950, 990, 999, 1000} {
			rank := (permille*len(values) + 999) / 1000
			exact := values[rank-1]
			got := ValueAt(h, float64(permille)/10)
			require.GreaterOrEqual(t, got, exact, "seed %d permille %d of %d", seed, permille, len(values))
			require.Less(t, float64(got-exact), 0.001*float64(exact)+1, "seed %d permille %d of %d", seed, permille, len(values))
		}
	}
}

// TestPercentilesFollowJavaNotGoAtTheRankBoundary: of three values the 40th percentile is the second by nearest rank rounded up
// (Java), the first by the Go library's rounding.
func TestPercentilesFollowJavaNotGoAtTheRankBoundary(t *testing.T) {
	h := histogramOf(t, 1000, 2000, 3000)
	assert.Equal(t, int64(2000), ValueAt(h, 40))
	assert.Equal(t, int64(1000), h.ValueAtPercentile(40))
	assert.Equal(t, int64(1000), ValueAt(h, 0))
	assert.Equal(t, int64(3001), ValueAt(h, 100), "3000 and 3001 share a bucket")
	assert.Zero(t, ValueAt(histogramOf(t), 99))
}

func TestPercentilesAreRightForCountsBeyondWhatFloatsHoldInThousandths(t *testing.T) {
	h := hdrhistogram.NewPacked(1, highestValue, 3)
	require.NoError(t, h.RecordValues(10, 999_000_000_000))
	require.NoError(t, h.RecordValues(20, 1_000_000_000))
	assert.Equal(t, int64(10), ValueAt(h, 99.9))
	require.NoError(t, h.RecordValues(20, 1_000))
	assert.Equal(t, int64(20), ValueAt(h, 99.9))
}

func TestEncodedHistogramsDecodeToTheSame(t *testing.T) {
	for seed := range uint64(20) {
		h := histogramOf(t, latencies(rand.New(rand.NewPCG(seed, 3)), 3000)...)
		text, err := EncodeHistogram(h)
		require.NoError(t, err)
		back, err := DecodeHistogram(text)
		require.NoError(t, err)
		require.Equal(t, buckets(h), buckets(back))
	}
}

func TestRefusesDamagedHistograms(t *testing.T) {
	whole, err := EncodeHistogram(histogramOf(t, 1, 2, 3))
	require.NoError(t, err)
	for _, text := range []string{"", "HIST", "HISTFAAAABV", whole[:len(whole)/2], "!" + whole} {
		_, err := DecodeHistogram(text)
		assert.Error(t, err, fmt.Sprintf("%.20q", text))
	}
}

func TestSpectrumRisesToTheMaximum(t *testing.T) {
	h := histogramOf(t, latencies(rand.New(rand.NewPCG(1, 4)), 100_000)...)
	points := Spectrum(h, 5)
	require.NotEmpty(t, points)
	last := points[len(points)-1]
	assert.Equal(t, Point{Percentile: 100, Nanos: h.Max(), Count: 100_000}, last)
	for i := 1; i < len(points); i++ {
		assert.Greater(t, points[i].Percentile, points[i-1].Percentile)
		assert.Greater(t, points[i].Nanos, points[i-1].Nanos)
		assert.Equal(t, ValueAt(h, points[i].Percentile), points[i].Nanos)
	}
	assert.Less(t, len(points), 150)
	var tail int
	for _, p := range points {
		if p.Percentile >= 99.9 {
			tail++
		}
	}
	assert.Greater(t, tail, 20, "the tail has as many points as it has halvings")
	assert.Empty(t, Spectrum(histogramOf(t), 5))
}

func TestAPercentileNeedsTenValuesBeyondIt(t *testing.T) {
	for percentile, least := range map[float64]int64{50: 20, 75: 40, 90: 100, 95: 200, 99: 1000, 99.9: 10_000, 99.99: 100_000, 99.999: 1_000_000} {
		assert.True(t, Supported(least, percentile), "%v of %d", percentile, least)
		assert.False(t, Supported(least-1, percentile), "%v of %d", percentile, least-1)
	}
}

func TestSumsUpMeanSpreadAndTheFurtherPercentiles(t *testing.T) {
	histogram := hdrhistogram.NewPacked(1, int64(time.Hour), 3)
	for value := int64(1); value <= 200; value++ { // 1 to 200 ms
		require.NoError(t, histogram.RecordValue(value*int64(time.Millisecond)))
	}
	start := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	log := NewLog([]Interval{{Start: start, End: start.Add(time.Second), Histogram: histogram, Tag: Tag{Operation: "READ", Kind: v1beta1.LatencyService}}})
	result, err := Summarize([]PodLog{{Log: log}})
	require.NoError(t, err)
	latency := result.Latencies[0]
	for want, got := range map[float64]v1beta1.Decimal{100.5: latency.MeanMillis, 57.7: latency.StdDevMillis, 150: latency.P75Millis, 180: latency.P90Millis} {
		value, err := Float(got)
		require.NoError(t, err)
		assert.InEpsilon(t, want, value, 0.005)
	}
	assert.Empty(t, latency.P9999Millis, "rests on none of 200 values")
	assert.Empty(t, latency.P99999Millis)
}
