package faults

import (
	"slices"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// timed returns a log with the latency of each second, in milliseconds, of 1,000 operations each.
func timed(t *testing.T, millis ...int64) *measure.Log {
	t.Helper()
	intervals := make([]measure.Interval, len(millis))
	for i, latency := range millis {
		histogram := hdrhistogram.NewPacked(1, int64(time.Hour), 3)
		require.NoError(t, histogram.RecordValues(latency*int64(time.Millisecond), 1000))
		intervals[i] = measure.Interval{Start: at(float64(i)), End: at(float64(i + 1)), Tag: measure.Tag{Operation: "read", Kind: v1beta1.LatencyResponse}, Histogram: histogram}
	}
	return measure.NewLog(intervals)
}

func TestLatencyIsThatBeforeTheFirstFaultAndThatWhileEachLasted(t *testing.T) {
	const second = 1_000_000
	effects := []v1beta1.FaultEffect{
		{AtMicros: 6 * second, ForMicros: number(second)},
		{AtMicros: 3.2 * second, ForMicros: number(2 * second)},
		{AtMicros: 7 * second},
		{AtMicros: 7 * second, ForMicros: number(second / 10)},
	}
	require.NoError(t, AddLatency(effects, timed(t, 2, 2, 2, 50, 50, 2, 90, 2), v1beta1.LatencyResponse))
	var told [][2]string
	for _, effect := range effects {
		told = append(told, [2]string{string(effect.BeforeP99Millis), string(effect.DuringP99Millis)})
	}
	near := func(millis string) string { return millis[:2] }
	assert.Equal(t, "2.", near(told[0][0]))
	assert.Equal(t, "90", near(told[0][1]))
	assert.Equal(t, told[0][0], told[1][0], "before the first by time")
	assert.Contains(t, []string{"49", "50"}, near(told[1][1]))
	assert.Equal(t, [2]string{}, told[2], "a kill has no end")
	assert.Equal(t, [2]string{told[0][0], ""}, told[3], "shorter than the log's intervals")
	require.NoError(t, AddLatency(nil, nil, v1beta1.LatencyResponse))
}

// A node is paused from 10 s to 20 s. A quarter of the operations due in that time wait for its end, and are answered, or fail, in the second after it.
func TestAddLatency_containsWhatWaitedForTheEndOfTheFault(t *testing.T) {
	for _, kind := range []v1beta1.LatencyKind{v1beta1.LatencyResponse, measure.Failed} {
		log := timed(t, slices.Repeat([]int64{2}, 30)...)
		late := hdrhistogram.NewPacked(1, int64(time.Hour), 3)
		for wait := 10_400; wait > 400; wait -= 4 {
			require.NoError(t, late.RecordValue(int64(wait)*int64(time.Millisecond)))
		}
		log = measure.NewLog(append(log.Intervals, measure.Interval{Start: at(20), End: at(21), Tag: measure.Tag{Operation: "read", Kind: kind}, Histogram: late}))
		effects := []v1beta1.FaultEffect{{AtMicros: 10_000_000, ForMicros: number(10_000_000)}}
		require.NoError(t, AddLatency(effects, log, v1beta1.LatencyResponse))
		during, err := measure.Float(effects[0].DuringP99Millis)
		require.NoError(t, err)
		assert.InDelta(t, 9_900, during, 300, kind)
		assert.Equal(t, "2.", string(effects[0].BeforeP99Millis)[:2])
	}
}
