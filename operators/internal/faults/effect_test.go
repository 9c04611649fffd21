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

// answered returns pieces with the operations answered in each second from the load's start.
func answered(counts ...int64) []measure.Piece {
	pieces := make([]measure.Piece, len(counts))
	for i, count := range counts {
		pieces[i] = measure.Piece{Start: at(float64(i)), End: at(float64(i + 1)), Operations: count}
	}
	return pieces
}

// ahead returns a fault whose times are those of a clock that is so many seconds ahead of the API server's.
func ahead(f v1beta1.FaultStatus, seconds float64) v1beta1.FaultStatus {
	f.ClockOffsetMicros, f.ClockErrorMicros = number(int64(seconds*1e6)), number(20_000)
	return f
}

func number(n int64) *int64 { return &n }

func TestWhatAFaultCostsIsReadFromWhatWasAnsweredEachSecond(t *testing.T) {
	const second = 1_000_000
	for name, test := range map[string]struct {
		known  []v1beta1.FaultStatus
		pieces []measure.Piece
		want   []v1beta1.FaultEffect
	}{
		"nobody noticed": {
			[]v1beta1.FaultStatus{back(asked(0, "s-1", "b", 4.5), 5, 9, "d")},
			answered(100, 100, 100, 100, 96, 100, 100, 100, 100, 104),
			[]v1beta1.FaultEffect{{AtMicros: 4.5 * second, ReadyMicros: number(4.5 * second), LevelOpRate: "100.0", RecoverMicros: number(0), Availability: "0.9933"}},
		},
		"away for three seconds, and caught up with": {
			[]v1beta1.FaultStatus{back(asked(0, "s-1", "b", 4.5), 5, 9, "d")},
			answered(100, 100, 100, 100, 100, 0, 0, 50, 200, 150, 100, 100, 100, 100),
			[]v1beta1.FaultEffect{{AtMicros: 4.5 * second, ReadyMicros: number(4.5 * second), LevelOpRate: "100.0",
				DetectMicros: number(1.5 * second), RecoverMicros: number(3.5 * second), Availability: "0.7500"}},
		},
		"comes and goes before it is back": {
			[]v1beta1.FaultStatus{asked(0, "s-1", "b", 4)},
			answered(100, 100, 100, 100, 0, 100, 0, 0, 0, 100, 100, 100, 100, 100),
			[]v1beta1.FaultEffect{{AtMicros: 4 * second, LevelOpRate: "100.0", DetectMicros: number(second), RecoverMicros: number(5 * second), Availability: "0.6000"}},
		},
		"not back by the end": {
			[]v1beta1.FaultStatus{asked(0, "s-1", "b", 4)},
			answered(100, 100, 100, 100, 50, 50, 50, 50, 50, 100, 100),
			[]v1beta1.FaultEffect{{AtMicros: 4 * second, LevelOpRate: "100.0", DetectMicros: number(second), Availability: "0.6429"}},
		},
		"two of them, each until the next": {[]v1beta1.FaultStatus{asked(1, "s-2", "c", 12), asked(0, "s-1", "b", 4)},
			answered(100, 100, 100, 100, 50, 100, 100, 100, 100, 100, 100, 100, 0, 0, 100, 100, 100, 100, 100, 100),
			[]v1beta1.FaultEffect{
				{AtMicros: 4 * second, LevelOpRate: "100.0", DetectMicros: number(second), RecoverMicros: number(second), Availability: "0.9375"},
				{Index: 1, AtMicros: 12 * second, LevelOpRate: "100.0", DetectMicros: number(second), RecoverMicros: number(2 * second), Availability: "0.7500"},
			}},
		"from when it began, not from when it was asked for": {
			[]v1beta1.FaultStatus{readyAgain(undone(asked(0, "s-1", "b", 1), 4.5, 6.5), 8)},
			answered(100, 100, 100, 100, 100, 0, 100, 100, 100, 100, 100),
			[]v1beta1.FaultEffect{{AtMicros: 4.5 * second, ForMicros: number(2 * second), ReadyMicros: number(3.5 * second), LevelOpRate: "100.0",
				DetectMicros: number(1.5 * second), RecoverMicros: number(1.5 * second), Availability: "0.8571"}},
		},
		"by a clock that is two seconds ahead": {
			[]v1beta1.FaultStatus{ahead(undone(asked(0, "s-1", "b", 1), 6.5, 8.5), 2)},
			answered(100, 100, 100, 100, 100, 0, 0, 100, 100, 100, 100, 100),
			[]v1beta1.FaultEffect{{AtMicros: 4.5 * second, ForMicros: number(2 * second), LevelOpRate: "100.0",
				DetectMicros: number(1.5 * second), RecoverMicros: number(2.5 * second), Availability: "0.7500"}},
		},
		"too early for a level": {
			[]v1beta1.FaultStatus{asked(0, "s-1", "b", 2)}, answered(100, 100, 0, 0, 100, 100, 100, 100, 100),
			[]v1beta1.FaultEffect{{AtMicros: 2 * second}},
		},
		"after the load's end": {[]v1beta1.FaultStatus{asked(0, "s-1", "b", 9)}, answered(100, 100, 100, 100),
			[]v1beta1.FaultEffect{{AtMicros: 9 * second, LevelOpRate: "100.0"}}},
		"none was asked for": {nil, answered(100, 100, 100, 100), nil},
	} {
		t.Run(name, func(t *testing.T) {
			m := phase(test.known...)
			for i := range test.want {
				ordered := m.Spec.Faults[test.want[i].Index]
				test.want[i].Kind, test.want[i].Node = ordered.Kind, ordered.Node
			}
			assert.Equal(t, test.want, Effects(m, test.pieces))
		})
	}
}

func TestALevelIsTheMedianOfWholePieces(t *testing.T) {
	level, there := LevelBefore(answered(0, 90, 100, 110, 5000, 7), at(5.5))
	assert.True(t, there)
	assert.InDelta(t, 100, level, 0)
	_, there = LevelBefore(answered(0, 0, 0, 0), at(4))
	require.False(t, there, "of nothing there is no share")
}

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
