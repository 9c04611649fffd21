package meter

import (
	"runtime"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/measure"
)

// The most memory that a correct load makes meter use. The limit of its container allows more than twice that.
func TestMeterFitsIntoItsMemory(t *testing.T) {
	const servers, windows, times = 16, 300, 2000
	before := heap()
	start := time.Unix(1_800_000_000, 0)
	recorders := make([]measure.WindowRecorder, servers)
	for window := range windows {
		for server := range recorders {
			for _, kind := range []v1beta1.LatencyKind{v1beta1.LatencyService, v1beta1.LatencyResponse} {
				histogram := hdrhistogram.NewPacked(1, 3_600_000_000_000, 3)
				for n := range int64(times) {
					require.NoError(t, histogram.RecordValue(100_000+n*n*20))
				}
				at := start.Add(time.Duration(window*servers+server) * time.Second)
				require.NoError(t, recorders[server].Add(measure.Interval{Start: at, End: at.Add(time.Second), Tag: measure.Tag{Operation: "READ", Kind: kind}, Histogram: histogram}))
			}
		}
	}
	var packed [][]byte
	for server := range recorders {
		log, err := recorders[server].Log()
		require.NoError(t, err)
		chunks, err := measure.PackLog(log, measure.ChunksOf(1, servers))
		require.NoError(t, err)
		packed = append(packed, chunks...)
	}
	used := heap() - before
	t.Logf("%d servers, %d windows of %d different times in two kinds: %d MiB", servers, windows, times, used>>20)
	assert.Less(t, used, int64(loadgen.MeterMemory/2))
	runtime.KeepAlive(recorders)
	runtime.KeepAlive(packed)
}

func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
