package measure

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestMergingPodsKeepsEveryValue(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 5))
		var logs []*Log
		var all []int64
		for range 1 + r.IntN(5) {
			var ivs []Interval
			start, step := r.Float64()*3, 0.5+0.5*float64(r.IntN(2))
			for i := range 1 + r.IntN(40) {
				if r.IntN(10) == 0 {
					continue // nothing answered: no line
				}
				values := latencies(r, 1+r.IntN(50))
				all = append(all, values...)
				from := start + float64(i)*step
				ivs = append(ivs, interval(t, from, from+step, service("WRITE"), values...))
			}
			logs = append(logs, NewLog(ivs))
		}
		if len(all) == 0 {
			continue
		}
		merged, err := Merge(logs...)
		require.NoError(t, err)
		total, err := merged.Total(v1beta1.LatencyService)
		require.NoError(t, err)
		require.Equal(t, buckets(histogramOf(t, all...)), buckets(total), "seed %d", seed)
		for _, l := range logs {
			if len(l.Intervals) > 0 {
				require.False(t, l.Start.Before(merged.Start), "seed %d: the window covers every pod", seed)
				require.False(t, l.End.After(merged.End), "seed %d: the window covers every pod", seed)
			}
		}
		short, err := Coalesce(merged, 7)
		require.NoError(t, err)
		require.LessOrEqual(t, len(short.Intervals), 7)
		total, err = short.Total(v1beta1.LatencyService)
		require.NoError(t, err)
		require.Equal(t, buckets(histogramOf(t, all...)), buckets(total), "seed %d", seed)
		require.True(t, short.Start.Equal(merged.Start) && short.End.Equal(merged.End))
	}
}

func TestMergingIsTheSameInAnyOrder(t *testing.T) {
	a, b, c := steady(t, 0, 1, 10, 5), steady(t, 0.2, 1, 12, 7), steady(t, 0.4, 1, 9, 11)
	one, err := Merge(a, b, c)
	require.NoError(t, err)
	other, err := Merge(c, a, b)
	require.NoError(t, err)
	assertSameLog(t, one, other)
}

func TestMergingOneLogChangesNothing(t *testing.T) {
	l := readFixture(t, "cassandra-stress-write-fixed-rate.hlog")
	merged, err := Merge(l)
	require.NoError(t, err)
	assertSameLog(t, l, merged)
}

func TestIntervalsOfOtherPodsGoWhereTheirMiddleLies(t *testing.T) {
	merged, err := Merge(steady(t, 0, 1, 4, 1), NewLog([]Interval{
		interval(t, 1.4, 2.4, service("WRITE"), 5, 5), // middle 1.9
		interval(t, 2.6, 3.6, service("WRITE"), 5, 5), // middle 3.1
		interval(t, 5.2, 6.2, service("WRITE"), 5, 5), // after the first pod's end
	}))
	require.NoError(t, err)
	cells, err := Cells(merged, v1beta1.LatencyService)
	require.NoError(t, err)
	assert.Equal(t, []int64{1, 3, 1, 3, 0, 2}, countsOf(cells))
	assert.True(t, merged.End.Equal(at(6.2)))
}

func countsOf(cells []Cell) []int64 {
	counts := make([]int64, len(cells))
	for i, c := range cells {
		if c.Histogram != nil {
			counts[i] = c.Histogram.TotalCount()
		}
	}
	return counts
}

func TestStallsAreShownAsPiecesWithoutAnAnswer(t *testing.T) {
	l := NewLog([]Interval{
		interval(t, 0, 1, service("READ"), 1),
		interval(t, 1, 2, service("READ"), 1, 1),
		interval(t, 5, 6, service("READ"), 1, 1, 1),
		interval(t, 6, 6.4, service("READ"), 1),
	})
	cells, err := Cells(l, v1beta1.LatencyService)
	require.NoError(t, err)
	assert.Equal(t, []int64{1, 2, 0, 0, 0, 3, 1}, countsOf(cells))
	assert.True(t, cells[3].Start.Equal(at(3)) && cells[3].End.Equal(at(4)))
}

func TestATimersJitterIsNoStall(t *testing.T) {
	l := NewLog([]Interval{
		interval(t, 0.001, 1, service("READ"), 1),
		interval(t, 1.02, 2.01, service("READ"), 1),
		interval(t, 2.003, 3.2, service("READ"), 1), // begins before the last one's end
		interval(t, 3.5, 4.5, service("READ"), 1),
	})
	cells, err := Cells(l, v1beta1.LatencyService)
	require.NoError(t, err)
	assert.Equal(t, []int64{1, 1, 1, 1}, countsOf(cells))
}

func TestSeveralTagsOverTheSameTimeAreOnePiece(t *testing.T) {
	l := NewLog([]Interval{
		interval(t, 0, 1, service("READ"), 1, 1), interval(t, 0, 1, service("WRITE"), 1, 1, 1),
		interval(t, 1, 2, service("WRITE"), 1), interval(t, 2, 3, service("READ"), 1),
	})
	cells, err := Cells(l, v1beta1.LatencyService)
	require.NoError(t, err)
	assert.Equal(t, []int64{5, 1, 1}, countsOf(cells))
}

func TestMiddleLeavesOutATenthAtEitherEnd(t *testing.T) {
	for _, test := range []struct {
		pieces, kept int
	}{{1, 1}, {9, 9}, {10, 8}, {19, 17}, {20, 16}, {25, 21}, {300, 240}} {
		m, err := Middle(steady(t, 0, 1, test.pieces, 10))
		require.NoError(t, err)
		cut := (test.pieces - test.kept) / 2
		assert.Len(t, m.Intervals, test.kept, "%d pieces", test.pieces)
		assert.True(t, m.Start.Equal(at(float64(cut))), "%d pieces start at %s", test.pieces, m.Start)
		assert.True(t, m.End.Equal(at(float64(test.pieces-cut))), "%d pieces", test.pieces)
	}
}

func TestMiddleCountsPiecesNotLines(t *testing.T) {
	// Ten seconds, of which the first and the eighth to tenth have lines. Two of the ten pieces are left out.
	l := NewLog([]Interval{interval(t, 0, 1, service("R"), 1), interval(t, 7, 8, service("R"), 1), interval(t, 8, 9, service("R"), 1), interval(t, 9, 10, service("R"), 1)})
	m, err := Middle(l)
	require.NoError(t, err)
	assert.Equal(t, int64(2), m.OperationCount())
	assert.True(t, m.Start.Equal(at(1)) && m.End.Equal(at(9)))
}

func TestCoalescingKeepsPiecesEquallyLong(t *testing.T) {
	l := steady(t, 0, 1, 601, 3)
	short, err := Coalesce(l, MaxIntervals)
	require.NoError(t, err)
	require.Len(t, short.Intervals, 201)
	for i, iv := range short.Intervals[:200] {
		assert.Equal(t, 3*time.Second, iv.End.Sub(iv.Start), "piece %d", i)
		assert.Equal(t, int64(9), iv.Histogram.TotalCount())
	}
	assert.Equal(t, int64(3), short.Intervals[200].Histogram.TotalCount())
	same, err := Coalesce(l, 601)
	require.NoError(t, err)
	assert.Same(t, l, same)
	_, err = Coalesce(l, 0)
	assert.Error(t, err)
}

func TestRecorderKeepsEveryValueInBoundedMemory(t *testing.T) {
	for _, n := range []int{1, 599, 600, 601, 1200, 1201, 5000, 100_000} {
		var r Recorder
		h, err := Combine(histogramOf(t, 1_000_000, 2_000_000))
		require.NoError(t, err)
		most := 0
		for i := range n {
			for _, tag := range []Tag{service("WRITE"), {Operation: "WRITE", Kind: v1beta1.LatencyResponse}} {
				start := epoch.Add(time.Duration(i) * 100 * time.Millisecond)
				require.NoError(t, r.Add(Interval{Start: start, End: start.Add(100 * time.Millisecond), Tag: tag, Histogram: h}))
			}
			most = max(most, len(r.intervals))
		}
		assert.LessOrEqual(t, most, 2*(2*MaxIntervals+2))
		l, err := r.Log()
		require.NoError(t, err)
		require.Equal(t, int64(2*n), l.OperationCount(), "%d intervals", n)
		require.Equal(t, int64(2*n), l.Count(v1beta1.LatencyResponse))
		assert.True(t, l.Start.Equal(epoch))
		assert.True(t, l.End.Equal(epoch.Add(time.Duration(n)*100*time.Millisecond)))
		cells, err := Cells(l, v1beta1.LatencyService)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(cells), 2*MaxIntervals)
		assert.Greater(t, len(cells), min(n, MaxIntervals)/2, "no more is joined than need be")
		if len(cells) > 1 {
			for _, c := range cells[:len(cells)-1] {
				assert.Equal(t, cells[0].End.Sub(cells[0].Start), c.End.Sub(c.Start))
				assert.Equal(t, cells[0].Histogram.TotalCount(), c.Histogram.TotalCount())
			}
		}
	}
}

func TestRecorderTakesOneTagWithIntervalsOfNoLength(t *testing.T) {
	var r Recorder
	for range 2000 {
		require.NoError(t, r.Add(Interval{Start: epoch, End: epoch, Tag: service("X"), Histogram: histogramOf(t, 1)}))
	}
	l, err := r.Log()
	require.NoError(t, err)
	assert.Equal(t, int64(2000), l.OperationCount())
}

func TestEmptyLogs(t *testing.T) {
	merged, err := Merge()
	require.NoError(t, err)
	assert.Empty(t, merged.Intervals)
	merged, err = Merge(nil, &Log{}, steady(t, 0, 1, 2, 1))
	require.NoError(t, err)
	assert.Equal(t, int64(2), merged.OperationCount())
	total, err := (&Log{}).Total(v1beta1.LatencyService)
	require.NoError(t, err)
	assert.Zero(t, total.TotalCount())
	none, err := Middle(&Log{})
	require.NoError(t, err)
	assert.Empty(t, none.Intervals)
	var nothing *hdrhistogram.PackedHistogram
	sum, err := Combine(nothing)
	require.NoError(t, err)
	assert.Zero(t, sum.TotalCount())
}

func TestTimesOfALogMayNotContradictEachOther(t *testing.T) {
	response := Tag{Operation: "READ", Kind: "response"}
	for name, test := range map[string]struct {
		intervals []Interval
		want      string
	}{
		"in order":                          {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 1, 2, service("READ"), 1)}, ""},
		"a gap":                             {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 60, 61, service("READ"), 1)}, ""},
		"a timer's jitter":                  {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 0.99, 2, service("READ"), 1)}, ""},
		"half an interval":                  {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 0.5, 1.5, service("READ"), 1)}, "the log has intervals that overlap: an interval of READ-st"},
		"kinds and operations side by side": {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 0, 1, response, 1), interval(t, 0.1, 1.1, service("WRITE"), 1)}, ""},
		"two threads that each log":         {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 0, 1, service("READ"), 1)}, ""},
		"steps of a search":                 {[]Interval{interval(t, 0, 1, service("READ@1"), 1), interval(t, 1, 2, service("READ@2"), 1)}, ""},
		"the servers of a duet":             {[]Interval{interval(t, 0, 1, Tag{Arm: "a", Operation: "READ", Kind: "service"}, 1), interval(t, 0.1, 1.1, Tag{Arm: "b", Operation: "READ", Kind: "service"}, 1)}, ""},
		"set back":                          {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, -3599, -3598, service("READ"), 1)}, "the log has times that go back: an interval of READ-st"},
		"overlap":                           {[]Interval{interval(t, 0, 1, service("READ"), 1), interval(t, 0.1, 1.1, service("READ"), 1)}, "the log has intervals that overlap: an interval of READ-st"},
		"out of order without a tag":        {[]Interval{interval(t, 1, 2, service(""), 1), interval(t, 0, 1, service(""), 1)}, "the log has times that go back: an interval from"},
	} {
		t.Run(name, func(t *testing.T) {
			var timing Timing
			for _, iv := range test.intervals {
				timing.Add(iv)
			}
			if test.want == "" {
				assert.Empty(t, timing.Contradiction())
				return
			}
			assert.Contains(t, timing.Contradiction(), test.want)
			assert.Equal(t, timing.Contradiction(), timing.Against(at(-1e5), at(1e5)))
		})
	}
}

func TestALogIsComparedWithTheTimeThatItsToolRan(t *testing.T) {
	for name, test := range map[string]struct {
		iv           Interval
		began, ended float64
		want         string
	}{
		"within":                          {interval(t, 0, 2, service("READ"), 1_000_000), -1, 3, ""},
		"as long":                         {interval(t, 0, 2, service("READ"), 1_999_000_000), 0, 2, ""},
		"longer":                          {interval(t, 0, 3602, service("READ"), 1), 0, 2, "the log covers 1h0m2s, from 2026-11-21T00:15:00.000Z to 2026-11-21T01:15:02.000Z, but the load tool ran for 2s"},
		"of another time":                 {interval(t, 0, 2, service("READ"), 1), 3600, 3602, "the log covers the time from 2026-11-21T00:15:00.000Z to 2026-11-21T00:15:02.000Z, but the load tool ran from 2026-11-21T01:15:00.000Z"},
		"before the tool":                 {interval(t, -1, 1, service("READ"), 1), 0, 2, "the log covers the time from"},
		"an operation longer than that":   {interval(t, 0, 2, service("READ"), 3_000_000_000), 0, 2, "the log has an operation of 2.99"},
		"hours, by clocks that run apart": {interval(t, -2, 7200, service("READ"), 1), 0, 7200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var timing Timing
			timing.Add(test.iv)
			got := timing.Against(at(test.began), at(test.ended))
			if test.want == "" {
				assert.Empty(t, got)
				return
			}
			assert.Contains(t, got, test.want)
		})
	}
	assert.Empty(t, (&Timing{}).Against(at(0), at(1)), "nothing says nothing")
}

func TestAClockThatWasSetWhileTheToolRanIsNamed(t *testing.T) {
	began := time.Now()
	ended := began.Add(10 * time.Second) // by the monotonic clock
	var timing Timing
	timing.Add(Interval{Start: began, End: ended, Tag: service("READ"), Histogram: histogramOf(t, 1)})
	require.Empty(t, timing.Against(began, ended))
	// The wall and monotonic clocks of began differ by an hour when only one of them is changed.
	wall := began.Round(0).Add(-time.Hour)
	assert.Equal(t, "the node's clock was changed by 1h0m0s while the load tool ran; the log's times are inconsistent", clockWasSet(ended.Sub(wall), ended.Sub(began)))
}

func TestValuesThatAreNoNanosecondsAreNamed(t *testing.T) {
	each := func(nanos int64) *Log { // twenty seconds of a thousand operations each
		var all []Interval
		for i := range 20 {
			iv := interval(t, float64(i), float64(i+1), service("READ"))
			require.NoError(t, iv.Histogram.RecordValues(nanos, 1000))
			all = append(all, iv)
		}
		return NewLog(all)
	}
	for name, test := range map[string]struct {
		log     *Log
		threads int64
		want    string
	}{
		"ten milliseconds of ten threads":       {each(10_000_000), 10, ""},
		"half of that in the client":            {each(5_000_000), 10, ""},
		"ten milliseconds in microseconds":      {each(10_000), 10, "by the log 10 threads in a closed loop waited for answers during 0.10% of its time; record nanoseconds"},
		"the same at a constant rate":           {each(10_000), 0, ""},
		"a millisecond in microseconds, a rate": {each(1_000), 0, "half of the operations in the log took 1µs or less, but no network answers within 5µs; record nanoseconds"},
		"too few for each thread":               {each(10_000), 1000, ""},
		"one long interval":                     {NewLog([]Interval{interval(t, 0, 20, service("READ"), 10_000)}), 1, ""},
		"nothing":                               {&Log{}, 10, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := WrongUnit(test.log, test.threads)
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
}
