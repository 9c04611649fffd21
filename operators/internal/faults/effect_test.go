package faults

import (
	"testing"

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
		"two of them, each until the next": {
			[]v1beta1.FaultStatus{asked(1, "s-2", "c", 12), asked(0, "s-1", "b", 4)},
			answered(100, 100, 100, 100, 50, 100, 100, 100, 100, 100, 100, 100, 0, 0, 100, 100, 100, 100, 100, 100),
			[]v1beta1.FaultEffect{
				{AtMicros: 4 * second, LevelOpRate: "100.0", DetectMicros: number(second), RecoverMicros: number(second), Availability: "0.9375"},
				{Index: 1, AtMicros: 12 * second, LevelOpRate: "100.0", DetectMicros: number(second), RecoverMicros: number(2 * second), Availability: "0.7500"},
			},
		},
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
		"after the load's end": {
			[]v1beta1.FaultStatus{asked(0, "s-1", "b", 9)}, answered(100, 100, 100, 100),
			[]v1beta1.FaultEffect{{AtMicros: 9 * second, LevelOpRate: "100.0"}},
		},
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
