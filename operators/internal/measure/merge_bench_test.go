package measure

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// BenchmarkMergePods reads and merges the logs of 64 load pods of 10 intervals, as in the last column of docs/design/scale.md.
func BenchmarkMergePods(b *testing.B) {
	const pods, intervals, each = 64, 10, 100
	r := rand.New(rand.NewPCG(1, 7))
	logs := make([][][]byte, pods)
	for i := range logs {
		var recorded []Interval
		for second := range intervals {
			h := hdrhistogram.NewPacked(lowestValue, highestValue, significantDigits)
			for range each {
				require.NoError(b, h.RecordValue(int64(8e6*math.Exp(0.6*r.NormFloat64()))))
			}
			recorded = append(recorded, Interval{Start: at(float64(second)), End: at(float64(second + 1)), Tag: service("READ"), Histogram: h})
		}
		var err error
		logs[i], err = PackLog(NewLog(recorded), MaxChunks)
		require.NoError(b, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		read := make([]PodLog, pods)
		for i, chunks := range logs {
			var err error
			read[i], err = PodLogOf(v1alpha1.Part{}, chunks)
			require.NoError(b, err)
		}
		_, err := MergePods(read)
		require.NoError(b, err)
	}
}
