package measure

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestLargeLogsAreMergedOneByOne(t *testing.T) {
	var pods, small, whole []PodLog
	inMemory, most := 0, 0
	for i := range 5 {
		l := steady(t, 0.1*float64(i), 1+0.25*float64(i%2), 20-i, 10+i)
		chunks, err := PackLog(l, MaxChunks)
		require.NoError(t, err)
		part := v1beta1.Part{Index: int32(i), ClockOffsetMicros: new(int64(i * 100_000)), ClockErrorMicros: new(int64(1000))}
		pod, err := PodLogOf(part, [][]byte{chunks[0][:20], chunks[0][20:]})
		require.NoError(t, err)
		for _, iv := range pod.Log.Intervals {
			require.Nil(t, iv.Histogram, "what is kept has no values")
		}
		assert.Equal(t, l.OperationCount(), pod.Log.OperationCount())
		read := pod.Read
		pod.Read = func() (*Log, error) {
			inMemory++ // the previous one is no longer needed
			most = max(most, inMemory)
			defer func() { inMemory-- }()
			return read()
		}
		pods = append(pods, pod)
		once, err := PodLogOf(part, chunks)
		require.NoError(t, err)
		assert.Nil(t, once.Read, "a small log is read once")
		small = append(small, once)
		whole = append(whole, PodLog{Log: l, Ahead: time.Duration(i) * 100 * time.Millisecond})
	}
	one, err := MergePods(pods)
	require.NoError(t, err)
	all, err := MergePods(whole)
	require.NoError(t, err)
	assertSameLog(t, all, one)
	joined, err := MergePods(small)
	require.NoError(t, err)
	assertSameLog(t, all, joined)
	assert.Equal(t, 1, most)

	byOne, err := Summarize(pods)
	require.NoError(t, err)
	together, err := Summarize(whole)
	require.NoError(t, err)
	assert.Equal(t, together, byOne)
}

func TestAnOffsetWithinItsOwnErrorMovesNoLog(t *testing.T) {
	for _, test := range []struct{ offset, wrong, want int64 }{{5000, 1000, 5000}, {-5000, 1000, -5000}, {1000, 1000, 0}} {
		assert.Equal(t, time.Duration(test.want)*time.Microsecond, ClockAhead(&test.offset, &test.wrong))
	}
	assert.Zero(t, ClockAhead(nil, nil), "not known")
}
