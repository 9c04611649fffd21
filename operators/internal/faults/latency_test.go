package faults

import (
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
