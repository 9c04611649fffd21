package measure

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// counted returns the counters of a window of one second in which each operation took 600 µs of CPU time, 150 of them in servers.
func counted(from float64, operations int64) Counters {
	return Counters{Start: at(from), End: at(from + 1), Windows: 1, Operations: operations,
		Values: map[string]int64{"cpu_ns": 600_000 * operations, "cpu_server_ns": 150_000 * operations, "cpu_gc_ns": 40_000 * operations, "gc_pause_ms": 7}}
}

// lost returns a window of one second in which a pod did not answer.
func lost(from float64) Counters {
	return Counters{Start: at(from), End: at(from + 1), Windows: 1, Unknown: 1, Values: map[string]int64{}}
}

// counting returns a server's part of an interleaved load of seven: a window of one second and its counters every seven seconds, with two
// operations each.
func counting(t testing.TB, n int) *Log {
	l := windowedLog(turns(t, n, 1, 1, 2))
	for i := range n {
		l.Counters = append(l.Counters, counted(7*float64(i), 2))
	}
	return l
}

func TestCPUPerOperationIsOfAllWindows(t *testing.T) {
	l := counting(t, 3)
	l.Counters[1] = counted(7, 8)
	r, err := Summarize([]PodLog{{Log: l}})
	require.NoError(t, err)
	assert.Equal(t, &v1beta1.StoreCPU{
		Windows: 3, Operations: 12, PerOpMicros: "600.0",
		Groups:   []v1beta1.CPUGroup{{Name: "gc", PerOpMicros: "40.0"}, {Name: "server", PerOpMicros: "150.0"}, {Name: "other", PerOpMicros: "410.0"}},
		Counters: map[string]int64{"cpu_ns": 7_200_000, "cpu_server_ns": 1_800_000, "cpu_gc_ns": 480_000, "gc_pause_ms": 21},
	}, r.StoreCPU)
}

// The costs by which servers are compared are kept for each window, as rates are. If the counters of one window are lost, they are kept for
// none.
func TestTheCostsOfWindowsStandBesideTheirOperations(t *testing.T) {
	l := counting(t, 3)
	l.Counters[1] = counted(7, 8)
	r, err := Summarize([]PodLog{{Log: l}})
	require.NoError(t, err)
	assert.Equal(t, map[string][]int64{"cpu_ns": {1_200_000, 4_800_000, 1_200_000}, "cpu_server_ns": {300_000, 1_200_000, 300_000}}, r.Intervals.StoreCounters)

	delete(l.Counters[2].Values, "cpu_server_ns")
	r, err = Summarize([]PodLog{{Log: l}})
	require.NoError(t, err)
	assert.Equal(t, map[string][]int64{"cpu_ns": {1_200_000, 4_800_000, 1_200_000}}, r.Intervals.StoreCounters)

	l.Counters[2] = lost(14)
	r, err = Summarize([]PodLog{{Log: l}})
	require.NoError(t, err)
	assert.Nil(t, r.Intervals.StoreCounters)
}

func TestTheCostsOfJoinedWindowsAreJoinedAsTheirOperationsAre(t *testing.T) {
	r, err := Summarize([]PodLog{{Log: counting(t, 1000)}})
	require.NoError(t, err)
	operations, nanos := r.Intervals.Operations, r.Intervals.StoreCounters["cpu_ns"]
	require.Len(t, nanos, len(operations))
	for i := range operations {
		require.Equal(t, 600_000*operations[i], nanos[i], i)
	}
}

func TestWindowsWhoseCountersAreUnknownAreLeftOutAndCounted(t *testing.T) {
	l := counting(t, 20)
	l.Counters[0], l.Counters[2] = lost(0), lost(14)
	r, err := Summarize([]PodLog{{Log: l}})
	require.NoError(t, err)
	assert.EqualValues(t, 18, r.StoreCPU.Windows)
	assert.EqualValues(t, 2, r.StoreCPU.UnknownWindows)
	assert.EqualValues(t, 36, r.StoreCPU.Operations)
	assert.EqualValues(t, 40, r.Operations)
	assert.Equal(t, v1beta1.Decimal("600.0"), r.StoreCPU.PerOpMicros)

	l.Counters[3] = lost(21)
	r, err = Summarize([]PodLog{{Log: l}})
	require.NoError(t, err)
	assert.Equal(t, &v1beta1.StoreCPU{Windows: 17, UnknownWindows: 3, Operations: 34}, r.StoreCPU, "what is left is no sample of all")
}

func TestWithoutKnownWindowsThereIsNoCPUTimeAndNothingElseIsLost(t *testing.T) {
	l := windowedLog(turns(t, 2, 1, 1, 2))
	l.Counters = []Counters{lost(0), lost(7)}
	r, err := Summarize([]PodLog{{Log: l}})
	require.NoError(t, err)
	assert.Equal(t, &v1beta1.StoreCPU{UnknownWindows: 2}, r.StoreCPU)
	assert.EqualValues(t, 4, r.Operations)
}

func TestAStoreThatDoesNotTellHasNoCPUTime(t *testing.T) {
	r, err := Summarize([]PodLog{{Log: windowedLog(turns(t, 2, 1, 1, 2))}})
	require.NoError(t, err)
	assert.Nil(t, r.StoreCPU)
}

func TestAProcessThatIsNotToldApartHasNoGroups(t *testing.T) {
	l := windowedLog(turns(t, 1, 1, 1, 2))
	l.Counters = []Counters{{Start: at(0), End: at(1), Windows: 1, Operations: 2, Values: map[string]int64{"cpu_ns": 1_000_000, "requests": 2}}}
	r, err := Summarize([]PodLog{{Log: l}})
	require.NoError(t, err)
	assert.Equal(t, v1beta1.Decimal("500.0"), r.StoreCPU.PerOpMicros)
	assert.Empty(t, r.StoreCPU.Groups)
	assert.EqualValues(t, 2, r.StoreCPU.Counters["requests"])
}

// A counter that one window lacks would give a partial sum.
func TestWhatIsNotCountedInEveryWindowIsNotSummed(t *testing.T) {
	l := counting(t, 2)
	delete(l.Counters[1].Values, "cpu_gc_ns")
	r, err := Summarize([]PodLog{{Log: l}})
	require.NoError(t, err)
	assert.NotContains(t, r.StoreCPU.Counters, "cpu_gc_ns")
	assert.Equal(t, v1beta1.Decimal("600.0"), r.StoreCPU.PerOpMicros)
}

func TestCountersSurviveTheStoredLog(t *testing.T) {
	for _, windows := range []int{4, 299, 1000} {
		l := counting(t, windows)
		l.Counters[1] = lost(7)
		want, err := Summarize([]PodLog{{Log: l}})
		require.NoError(t, err)
		chunks, err := PackLog(l, MaxChunks)
		require.NoError(t, err)
		back, err := UnpackLog(chunks)
		require.NoError(t, err)
		got, err := Summarize([]PodLog{{Log: back}})
		require.NoError(t, err)
		assert.Equal(t, want.StoreCPU, got.StoreCPU)
		if windows < MaxIntervals {
			assert.Equal(t, l.Counters, back.Counters)
		} else {
			assert.Len(t, back.Counters, 250)
			assert.Equal(t, 4, back.Counters[0].Windows)
			assert.Equal(t, 4*time.Second, back.Counters[0].End.Sub(back.Counters[0].Start))
		}
	}
}

func TestRecordedWindowsKeepTheirCountersHoweverManyTheyAre(t *testing.T) {
	for _, windows := range []int{3, 600, 601, 1201, 5000} {
		l := counting(t, windows)
		var recorder WindowRecorder
		for i, iv := range l.Intervals {
			require.NoError(t, recorder.Add(iv))
			recorder.AddCounters(l.Counters[i])
		}
		got, err := recorder.Log()
		require.NoError(t, err)
		require.Len(t, got.Counters, len(got.Intervals))
		for i, c := range got.Counters {
			assert.Equal(t, got.Intervals[i].Start, c.Start)
			assert.Equal(t, got.Intervals[i].Histogram.TotalCount(), c.Operations)
		}
		sum, there := total(got.Counters)
		assert.True(t, there)
		assert.Equal(t, windows, sum.Windows)
		assert.EqualValues(t, 1_200_000*windows, sum.Values["cpu_ns"])
	}
}

func TestReadsTheCountersThatALoadWrites(t *testing.T) {
	// Same values as in load-kit's InterleavedCountersTest.
	const text = `#[StartTime: 1795306500.250 (seconds since epoch), Sun Nov 22 00:15:00 UTC 2026]
#[BaseTime: 1795306500.250 (seconds since epoch)]
#[Counters: hsha start=0.002 length=1.013 operations=812 windows=1 unknown=0 cpu_gc_ns=3 cpu_ns=403218456]
#[Counters: xedin+hsha@xedin start=1.020 length=1.001 operations=0 windows=1 unknown=1]
`
	log, err := ReadLog(strings.NewReader(text))
	require.NoError(t, err)
	start := time.Unix(1795306500, 252_000_000).UTC()
	assert.Equal(t, []Counters{
		{Arm: "hsha", Start: start, End: start.Add(1013 * time.Millisecond), Windows: 1, Operations: 812, Values: map[string]int64{"cpu_gc_ns": 3, "cpu_ns": 403218456}},
		{Arm: "xedin+hsha@xedin", Start: start.Add(1018 * time.Millisecond), End: start.Add(2019 * time.Millisecond), Windows: 1, Unknown: 1, Values: map[string]int64{}},
	}, log.Counters)
}

func TestRefusesCountersThatCannotBeRead(t *testing.T) {
	for _, test := range []struct{ line, says string }{
		{"#[Counters: hsha length=1.0 windows=1 unknown=0]", "counters without a start and a length"},
		{"#[Counters: hsha start=0.0 length=1.0 windows=1", "counters without a start and a length"},
		{"#[Counters: hsha start=0.0 length=-1.0 windows=1]", "counters without a start and a length"},
		{"#[Counters: hsha start=0.0 length=1.0 windows=0 unknown=0]", "counters of 0 windows"},
		{"#[Counters: hsha start=0.0 length=1.0 windows=1 unknown=2]", "counters of 1 windows, of which 2 are unknown"},
		{"#[Counters: hsha start=0.0 length=1.0 windows=1 cpu_ns=-5]", `counters have "cpu_ns=-5", not a count`},
		{"#[Counters: hsha start=0.0 length=1.0 windows=1 cpu_ns]", `counters have "cpu_ns", not name=value`},
		{"#[Counters: hsha start=soon length=1.0 windows=1]", `"soon" is not a time`},
	} {
		_, err := ReadLog(strings.NewReader(test.line + "\n"))
		assert.ErrorContains(t, err, "log line 1: ", test.line)
		assert.ErrorContains(t, err, test.says, test.line)
	}
}

func TestWritesEachWindowsCountersBehindItsLines(t *testing.T) {
	l := windowedLog([]Interval{
		interval(t, 0, 1, service("READ"), 1), interval(t, 0, 1, Tag{Operation: "READ", Kind: v1beta1.LatencyResponse}, 1), interval(t, 7, 8, service("READ"), 1),
	})
	l.Counters = []Counters{counted(0, 1), lost(7)}
	var text bytes.Buffer
	require.NoError(t, WriteLog(&text, l))
	var order []string
	for line := range strings.Lines(text.String()) {
		if kind, _, _ := strings.Cut(line, ","); strings.HasPrefix(line, "Tag=") {
			order = append(order, kind)
		} else if strings.HasPrefix(line, countersComment) {
			order = append(order, strings.TrimSpace(line))
		}
	}
	assert.Equal(t, []string{
		"Tag=READ-st", "Tag=READ-rt",
		"#[Counters: start=0.000 length=1.000 operations=1 windows=1 unknown=0 cpu_gc_ns=40000 cpu_ns=600000 cpu_server_ns=150000 gc_pause_ms=7]",
		"Tag=READ-st", fmt.Sprintf("#[Counters: start=%s length=1.000 operations=0 windows=1 unknown=1]", "7.000"),
	}, order)
}
