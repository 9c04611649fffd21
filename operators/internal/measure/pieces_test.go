package measure

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPiecesAreSecondsOfAllPodsTogether(t *testing.T) {
	pieces, err := Pieces([]PodLog{{Log: steady(t, 0, 0.1, 34, 3)}})
	require.NoError(t, err)
	require.Len(t, pieces, 3, "the last 0.4 s say little of a second")
	for i, piece := range pieces {
		assert.WithinDuration(t, at(float64(i)), piece.Start, time.Millisecond)
		assert.WithinDuration(t, at(float64(i+1)), piece.End, time.Millisecond)
		assert.Equal(t, int64(30), piece.Operations)
		assert.InDelta(t, 30, piece.Rate(), 1e-6)
	}

	two, err := Pieces([]PodLog{{Log: steady(t, 0, 1, 4, 5)}, {Log: steady(t, 2, 1, 4, 7), Ahead: 2 * time.Second}})
	require.NoError(t, err)
	require.Len(t, two, 4)
	assert.Equal(t, int64(12), two[0].Operations, "by one clock")

	long, err := Pieces([]PodLog{{Log: steady(t, 0, 4, 3, 8)}})
	require.NoError(t, err)
	require.Len(t, long, 3)
	assert.InDelta(t, 2, long[0].Rate(), 0)
}

func TestAGapIsAPieceInWhichNothingWasAnswered(t *testing.T) {
	log := steady(t, 0, 1, 3, 5)
	late := steady(t, 6, 1, 2, 5)
	pieces, err := Pieces([]PodLog{{Log: NewLog(append(log.Intervals, late.Intervals...))}})
	require.NoError(t, err)
	var counts []int64
	for _, piece := range pieces {
		counts = append(counts, piece.Operations)
	}
	assert.Equal(t, []int64{5, 5, 5, 0, 0, 0, 5, 5}, counts)
}
