package measure

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestRestIsCPUTimePerTimeOfTheWindowsThatAreKnown(t *testing.T) {
	log := NewLog([]Interval{{Start: at(0), End: at(2), Tag: Tag{Operation: "idle", Kind: v1beta1.LatencyService}, Histogram: histogramOf(t)}})
	log.Windowed = true
	log.Counters = []Counters{
		{Start: at(0), End: at(1), Windows: 1, Values: map[string]int64{"cpu_ns": 50_000_000}},
		{Start: at(1), End: at(2), Windows: 1, Unknown: 1},
		{Start: at(2), End: at(4), Windows: 1, Values: map[string]int64{"cpu_ns": 400_000_000}},
	}
	result, err := Rest(log)
	require.NoError(t, err)
	assert.Equal(t, v1beta1.Decimal("0.1500"), result.StoreCPU.IdleCores, "450 ms in 3 s")
	assert.Equal(t, int64(1), result.StoreCPU.UnknownWindows)
	assert.Zero(t, result.Operations)
	assert.NotNil(t, result.Latencies, "the schema wants a list")

	log.Counters = log.Counters[1:2]
	result, err = Rest(log)
	require.NoError(t, err)
	assert.Empty(t, result.StoreCPU.IdleCores)

	log.Intervals[0].Histogram = histogramOf(t, 1000)
	_, err = Rest(log)
	assert.ErrorContains(t, err, "the log of an idle phase has operations")
}
