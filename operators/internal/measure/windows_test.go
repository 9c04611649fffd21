package measure

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// turns returns one server's part of an interleaved load of seven: n windows of the given length, one every seven seconds.
func turns(t testing.TB, n int, length float64, each ...int64) []Interval {
	var ivs []Interval
	for i := range n {
		from := 7 * float64(i)
		ivs = append(ivs, interval(t, from, from+length, service("READ"), each...))
	}
	return ivs
}

func TestRateOfAServersWindowsLeavesOutWhatLiesBetween(t *testing.T) {
	log := windowedLog(turns(t, 20, 1.25, 1, 2, 3, 4, 5))
	r, err := Summarize([]PodLog{{Log: log}})
	require.NoError(t, err)
	assert.Equal(t, int64(100), r.Operations)
	assert.Equal(t, v1beta1.Decimal("4.0"), r.OpRate)
	assert.Equal(t, v1beta1.Decimal("4.0"), r.OpRateMid80, "of sixteen windows")
	assert.Equal(t, v1beta1.Decimal("25.0"), r.OperationSeconds)
	assert.Len(t, r.Intervals.Operations, 20, "no piece is made up for the time between")
	assert.Equal(t, int64(1250), r.Intervals.LengthMillis)
	assert.True(t, r.StartedAt.Time.Equal(at(0)) && r.FinishedAt.Time.Equal(at(7*19+1.25)))
}

func TestMiddleOfWindowsIsOfWindows(t *testing.T) {
	ivs := turns(t, 20, 1, 1)
	for i := range 2 { // the first two and the last two are ten times as fast
		ivs[i] = interval(t, 7*float64(i), 7*float64(i)+1, service("READ"), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
		ivs[18+i] = interval(t, 7*float64(18+i), 7*float64(18+i)+1, service("READ"), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	}
	r, err := Summarize([]PodLog{{Log: windowedLog(ivs)}})
	require.NoError(t, err)
	assert.Equal(t, v1beta1.Decimal("2.8"), r.OpRate)
	assert.Equal(t, v1beta1.Decimal("1.0"), r.OpRateMid80)
}

func TestWindowsOfUnequalLengthWeighByTheirLength(t *testing.T) {
	log := windowedLog([]Interval{interval(t, 0, 1, service("READ"), 1, 1, 1, 1), interval(t, 7, 10, service("READ"), 1, 1)})
	r, err := Summarize([]PodLog{{Log: log}})
	require.NoError(t, err)
	assert.Equal(t, v1beta1.Decimal("1.5"), r.OpRate)
}

func TestWindowInWhichNothingWasAnsweredCountsAsTime(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, WriteLog(&text, windowedLog([]Interval{interval(t, 0, 1, service("READ"), 1, 1), interval(t, 7, 8, service("READ"))})))
	log, err := ReadLog(&text)
	require.NoError(t, err)
	r, err := Summarize([]PodLog{{Log: log}})
	require.NoError(t, err)
	assert.Equal(t, v1beta1.Decimal("1.0"), r.OpRate)
	assert.Equal(t, []int64{2, 0}, r.Intervals.Operations)
}

func TestWindowsSurviveTheStoredLog(t *testing.T) {
	log := windowedLog(turns(t, 1000, 1, 1, 2))
	chunks, err := PackLog(log, MaxChunks)
	require.NoError(t, err)
	back, err := UnpackLog(chunks)
	require.NoError(t, err)
	assert.True(t, back.Windowed)
	cells, err := Cells(back, v1beta1.LatencyService)
	require.NoError(t, err)
	assert.Len(t, cells, 250)
	assert.Equal(t, 4*time.Second, cells[0].End.Sub(cells[0].Start), "four windows of a second are four seconds, wherever they lay")
	assert.Equal(t, 1000*time.Second, back.Length())
	assert.Equal(t, int64(2000), back.OperationCount())

	var text bytes.Buffer
	require.NoError(t, WriteLog(&text, steady(t, 0, 1, 3, 1)))
	plain, err := ReadLog(&text)
	require.NoError(t, err)
	assert.False(t, plain.Windowed)
}

func TestWindowRecorderKeepsEveryValueAndTheRateInBoundedMemory(t *testing.T) {
	for _, n := range []int{1, 599, 600, 601, 1200, 1201, 5000, 20_000} {
		var r WindowRecorder
		random := rand.New(rand.NewPCG(uint64(n), 1))
		h := histogramOf(t, 1_000_000, 2_000_000)
		var busy time.Duration
		for i := range n {
			start := epoch.Add(time.Duration(i) * 7 * time.Second)
			end := start.Add(time.Second + time.Duration(random.IntN(int(time.Second))))
			busy += end.Sub(start)
			for _, kind := range []v1beta1.LatencyKind{v1beta1.LatencyService, v1beta1.LatencyResponse} {
				require.NoError(t, r.Add(Interval{Start: start, End: end, Tag: Tag{Operation: "READ", Kind: kind}, Histogram: h}))
			}
			require.LessOrEqual(t, len(r.pieces)/2+r.inNext, 2*MaxIntervals+r.per)
		}
		l, err := r.Log()
		require.NoError(t, err)
		assert.True(t, l.Windowed)
		assert.Equal(t, busy, l.Length(), "%d windows", n)
		assert.Equal(t, int64(2*n), l.Count(v1beta1.LatencyService))
		assert.Equal(t, int64(2*n), l.Count(v1beta1.LatencyResponse))
		assert.Greater(t, len(windowsOf(l.Intervals)), min(n, MaxIntervals)/2, "no more is joined than need be")
		again, err := r.Log()
		require.NoError(t, err)
		assert.Equal(t, l.Length(), again.Length(), "asking changes nothing")
	}
}

func TestLogsOfSeveralPodsThatGoRoundAreNotMerged(t *testing.T) {
	one := windowedLog(turns(t, 3, 1, 1))
	same, err := Merge(one)
	require.NoError(t, err)
	assert.Same(t, one, same)
	_, err = Merge(one, windowedLog(turns(t, 4, 1, 1)))
	assert.ErrorContains(t, err, "use one load pod")
}

func TestTagOfAnArm(t *testing.T) {
	for text, want := range map[string]Tag{
		"hsha/READ-st":           {Arm: "hsha", Operation: "READ", Kind: v1beta1.LatencyService},
		"hsha@disruptor/READ-rt": {Arm: "hsha@disruptor", Operation: "READ", Kind: v1beta1.LatencyResponse},
		"hsha-again/-st":         {Arm: "hsha-again", Kind: v1beta1.LatencyService},
		"READ-wt":                {Operation: "READ", Kind: v1beta1.LatencyWait},
	} {
		tag, err := ParseTag(text)
		require.NoError(t, err)
		assert.Equal(t, want, tag)
		assert.Equal(t, text, tag.String())
	}
}

// HdrHistogram's own writer, which loads in Java use, wrote this log: two servers in turns, one without answers in one window.
func TestReadsTheTurnsThatJavaWrote(t *testing.T) {
	recorders := map[string]*WindowRecorder{"hsha": {}, "xedin": {}}
	for _, iv := range readFixture(t, "turns/turns.hlog").Intervals {
		recorder := recorders[iv.Tag.Arm]
		require.NotNil(t, recorder, iv.Tag)
		iv.Tag.Arm = ""
		require.NoError(t, recorder.Add(iv))
	}
	for arm, rate := range map[string]v1beta1.Decimal{"hsha": "25.0", "xedin": "8.3"} {
		log, err := recorders[arm].Log()
		require.NoError(t, err)
		r, err := Summarize([]PodLog{{Log: log}})
		require.NoError(t, err)
		assert.Equal(t, rate, r.OpRate, arm)
		assert.Equal(t, v1beta1.Decimal("2.4"), r.OperationSeconds, arm)
		assert.Len(t, r.Latencies, 3, arm)
	}
}
