package measure

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestSummarize_countsFailedOperationsAmongTheLatenciesOnly(t *testing.T) {
	log := steady(t, 0, 1, 10, 99) // of a millisecond, each second
	failed := hdrhistogram.NewPacked(1, int64(time.Hour), 3)
	require.NoError(t, failed.RecordValues(int64(30*time.Second), 110))
	log = NewLog(append(log.Intervals, Interval{Start: log.End.Add(-time.Second), End: log.End, Tag: Tag{Operation: log.Intervals[0].Tag.Operation, Kind: Failed}, Histogram: failed}))
	r, err := Summarize([]PodLog{{Log: log, Operations: 990, Errors: 110}})
	require.NoError(t, err)
	assert.Equal(t, int64(990), r.Operations)
	require.Len(t, r.Latencies, 1, "it is no kind of its own")
	assert.Equal(t, "30", string(r.Latencies[0].P95Millis)[:2])
	assert.NotEqual(t, "30", string(r.Latencies[0].MedianMillis)[:2])
	assert.Equal(t, v1beta1.Decimal("99.0"), r.OpRate)
}
