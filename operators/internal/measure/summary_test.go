package measure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestSummarizesOnePod(t *testing.T) {
	r, err := Summarize([]PodLog{{Log: steady(t, 0, 1, 20, 500)}})
	require.NoError(t, err)
	assert.Equal(t, int64(10_000), r.Operations)
	assert.Equal(t, v1beta1.Decimal("500.0"), r.OpRate)
	assert.Equal(t, v1beta1.Decimal("500.0"), r.KeyRate)
	assert.Equal(t, v1beta1.Decimal("500.0"), r.OpRateMid80)
	assert.Equal(t, v1beta1.Decimal("20.0"), r.OperationSeconds)
	assert.True(t, r.StartedAt.Time.Equal(at(0)) && r.FinishedAt.Time.Equal(at(20)))
	assert.Equal(t, v1beta1.LatencyService, r.LatencyKind)
	require.Len(t, r.Latencies, 1)
	assert.Equal(t, v1beta1.Decimal("1.000"), r.Latencies[0].MedianMillis)
	assert.Equal(t, int64(1000), r.Intervals.LengthMillis)
	assert.Len(t, r.Intervals.Operations, 20)
	assert.Zero(t, r.StartSkewMillis)
}

func TestPercentilesComeFromTheMergedHistogramNotFromAverages(t *testing.T) {
	fast, slow := make([]int64, 990), make([]int64, 10)
	for i := range fast {
		fast[i] = 1_000_000
	}
	for i := range slow {
		slow[i] = 100_000_000
	}
	r, err := Summarize([]PodLog{
		{Log: NewLog([]Interval{interval(t, 0, 1, service("W"), fast...)})},
		{Log: NewLog([]Interval{interval(t, 0.25, 1.25, service("W"), slow...)})},
	})
	require.NoError(t, err)
	l := r.Latencies[0]
	assert.Equal(t, v1beta1.Decimal("1.000"), l.P99Millis)
	assert.Equal(t, v1beta1.Decimal("100.008"), l.P999Millis)
	assert.Equal(t, int64(1000), r.Operations)
	assert.Equal(t, v1beta1.Decimal("800.0"), r.OpRate, "1000 operations from the first pod's start to the last one's end")
	assert.Equal(t, int64(250), r.StartSkewMillis)
}

// Two pods at 100/s each, one of which began and ended five seconds later.
func TestRatesAndLatenciesOfSeveralPodsAreThoseOfTheTimeInWhichAllRan(t *testing.T) {
	r, err := Summarize([]PodLog{{Log: steady(t, 0, 1, 20, 100)}, {Log: steady(t, 5, 1, 20, 100)}})
	require.NoError(t, err)
	assert.Equal(t, v1beta1.Decimal("200.0"), r.OpRate, "not 160: for ten seconds one of them was alone")
	assert.Equal(t, v1beta1.Decimal("200.0"), r.OpRateMid80)
	assert.Equal(t, v1beta1.Decimal("15.0"), r.OperationSeconds)
	assert.Equal(t, int64(4000), r.Operations, "all that was asked for")
	require.NotNil(t, r.Common)
	assert.Equal(t, int64(3000), r.Common.Operations)
	assert.True(t, r.Common.StartedAt.Time.Equal(at(5)) && r.Common.FinishedAt.Time.Equal(at(20)))
	assert.True(t, r.StartedAt.Time.Equal(at(0)) && r.FinishedAt.Time.Equal(at(25)))
	assert.Equal(t, int64(5000), r.StartSkewMillis)
	histogram, err := DecodeHistogram(r.Latencies[0].Histogram)
	require.NoError(t, err)
	assert.Equal(t, int64(3000), histogram.TotalCount())
	assert.Len(t, r.Intervals.Operations, 25, "what was asked over time is shown whole")

	r, err = Summarize([]PodLog{{Log: steady(t, 0, 1, 20, 100)}, {Log: steady(t, 5, 1, 20, 100), Ahead: 5 * time.Second}})
	require.NoError(t, err)
	assert.Equal(t, v1beta1.Decimal("20.0"), r.OperationSeconds, "its clock was ahead, it was not late")
	assert.Zero(t, r.StartSkewMillis)

	r, err = Summarize([]PodLog{{Log: steady(t, 0, 1, 5, 100)}, {Log: steady(t, 6, 1, 5, 100)}})
	require.NoError(t, err)
	assert.Nil(t, r.Common, "they never met")
}

// The node of one of two load pods stalls at the end of the phase: its due operations are answered three seconds later, long after the
// other pod ended.
func TestLatenciesAtAConstantRateAreThoseOfWhatWasDueAndAnsweredLate(t *testing.T) {
	response := Tag{Operation: "READ", Kind: v1beta1.LatencyResponse}
	pod := func(late ...int64) *Log {
		var intervals []Interval
		for i := range 10 {
			quick := make([]int64, 100)
			for j := range quick {
				quick[j] = 1_000_000
			}
			intervals = append(intervals, interval(t, float64(i), float64(i+1), response, quick...))
		}
		if len(late) > 0 {
			intervals = append(intervals, interval(t, 12, 13, response, late...))
		}
		for _, iv := range intervals {
			iv.Tag.Kind = v1beta1.LatencyService
			intervals = append(intervals, iv)
		}
		return NewLog(intervals)
	}
	late := make([]int64, 50)
	for i := range late {
		late[i] = 3_000_000_000
	}
	r, err := Summarize([]PodLog{{Log: pod()}, {Log: pod(late...)}})
	require.NoError(t, err)
	assert.Equal(t, v1beta1.LatencyResponse, r.LatencyKind)
	histogram, err := DecodeHistogram(r.Latencies[0].Histogram)
	require.NoError(t, err)
	assert.Equal(t, int64(2050), histogram.TotalCount())
	assert.Equal(t, v1beta1.Decimal("3001.025"), r.Latencies[0].P999Millis)
	assert.Equal(t, v1beta1.Decimal("10.0"), r.OperationSeconds, "rates are of the time in which both ran")
	assert.Equal(t, v1beta1.Decimal("200.0"), r.OpRate)
}

func TestNoLatencyIsReportedWhereOperationsDidNotBegin(t *testing.T) {
	r, err := Summarize([]PodLog{{Log: steady(t, 0, 1, 10, 100), NotBegun: 1}, {Log: steady(t, 0, 1, 10, 100), NotBegun: 2}})
	require.NoError(t, err)
	assert.Equal(t, int64(3), r.NotBegun)
	assert.Empty(t, r.Latencies)
	assert.NotNil(t, r.Latencies, "the schema wants a list")
	assert.Equal(t, v1beta1.Decimal("200.0"), r.OpRate)
}

func TestAMixedLoadHasFiguresOfEachKindOfOperationAsWell(t *testing.T) {
	fast, slow := make([]int64, 300), make([]int64, 100)
	for i := range fast {
		fast[i] = 1_000_000
	}
	for i := range slow {
		slow[i] = 20_000_000
	}
	r, err := Summarize([]PodLog{{Log: NewLog([]Interval{
		interval(t, 0, 1, service("READ"), fast...), interval(t, 0, 1, service("UPDATE"), slow...),
		interval(t, 1, 2, service("READ"), fast...), interval(t, 1, 2, service("UPDATE"), slow...),
	})}})
	require.NoError(t, err)
	assert.Equal(t, int64(800), r.Operations)
	require.Len(t, r.ByOperation, 2)
	read, update := r.ByOperation[0], r.ByOperation[1]
	assert.Equal(t, "READ", read.Operation)
	assert.Equal(t, v1beta1.Decimal("300.0"), read.OpRate)
	assert.Equal(t, v1beta1.Decimal("1.000"), read.Latency.P99Millis)
	assert.Equal(t, int64(200), update.Operations)
	assert.Equal(t, v1beta1.Decimal("20.005"), update.Latency.MedianMillis)
	assert.Equal(t, v1beta1.Decimal("1.000"), r.Latencies[0].MedianMillis, "of all together")

	r, err = Summarize([]PodLog{{Log: steady(t, 0, 1, 20, 500)}})
	require.NoError(t, err)
	assert.Empty(t, r.ByOperation, "of one kind there is nothing more to say")
}

func TestOutcomesOfAllPodsAreAddedUp(t *testing.T) {
	r, err := Summarize([]PodLog{
		{Log: steady(t, 0, 1, 10, 100), Operations: 1000, Unanswered: 5, Outcomes: []v1beta1.Outcome{{Name: "hit", Count: 600}, {Name: "lost", Count: 5}, {Name: "miss", Count: 400}}},
		{Log: steady(t, 0, 1, 10, 100), Operations: 1000, Outcomes: []v1beta1.Outcome{{Name: "busy", Count: 0}, {Name: "hit", Count: 1000}}},
	})
	require.NoError(t, err)
	assert.Equal(t, int64(2000), r.Operations)
	assert.Equal(t, int64(5), r.Unanswered)
	assert.Equal(t, []v1beta1.Outcome{{Name: "busy", Count: 0}, {Name: "hit", Count: 1600}, {Name: "lost", Count: 5}, {Name: "miss", Count: 400}}, r.Outcomes)
}

func TestErrorsOfAllPodsAreAddedUpByKind(t *testing.T) {
	r, err := Summarize([]PodLog{
		{Log: steady(t, 0, 1, 10, 100), Operations: 1000, Errors: 7, ErrorsByKind: []v1beta1.ErrorCount{{Kind: v1beta1.ErrorBroken, Count: 2}, {Kind: v1beta1.ErrorRefused, Count: 5}}},
		{Log: steady(t, 0, 1, 10, 100), Operations: 1000, Errors: 4, ErrorsByKind: []v1beta1.ErrorCount{{Kind: v1beta1.ErrorBroken, Count: 4}}},
	})
	require.NoError(t, err)
	assert.Equal(t, []v1beta1.ErrorCount{{Kind: v1beta1.ErrorBroken, Count: 6}, {Kind: v1beta1.ErrorRefused, Count: 5}}, r.ErrorsByKind)
	assert.Equal(t, int64(11), r.Errors)
}

func TestFailedOperationsInTheLogAreNotAnswered(t *testing.T) {
	l := steady(t, 0, 1, 10, 100)
	r, err := Summarize([]PodLog{{Log: l, Operations: 900, Errors: 100, Keys: 4500}})
	require.NoError(t, err)
	assert.Equal(t, int64(900), r.Operations)
	assert.Equal(t, int64(100), r.Errors)
	assert.Equal(t, v1beta1.Decimal("90.0"), r.OpRate)
	assert.Equal(t, v1beta1.Decimal("450.0"), r.KeyRate)
	assert.Equal(t, v1beta1.Decimal("90.0"), r.OpRateMid80)

	r, err = Summarize([]PodLog{{Log: l, Operations: 1000, Errors: 7}})
	require.NoError(t, err, "a tool that leaves failures out of its log")
	assert.Equal(t, int64(1000), r.Operations)
	assert.Equal(t, int64(7), r.Errors)

	_, err = Summarize([]PodLog{{Log: l, Operations: 990, Errors: 7}})
	assert.ErrorContains(t, err, "load pod 0: the log has 1000 operations, but the load tool counted 990 answered and 7 failed")
	r, err = Summarize([]PodLog{{Log: l, Errors: 1000}})
	require.NoError(t, err, "every operation failed")
	assert.Zero(t, r.Operations)
	assert.Equal(t, v1beta1.Decimal("0.0"), r.OpRate)
}

func TestResponseTimesMakeTheRowAtAConstantRate(t *testing.T) {
	r, err := Summarize([]PodLog{{Log: readFixture(t, "cassandra-stress-write-fixed-rate.hlog")}})
	require.NoError(t, err)
	assert.Equal(t, v1beta1.LatencyResponse, r.LatencyKind)
	var kinds []v1beta1.LatencyKind
	for _, l := range r.Latencies {
		kinds = append(kinds, l.Kind)
	}
	assert.Equal(t, []v1beta1.LatencyKind{"response", "service", "wait"}, kinds, "the row's kind first")
}

func TestRefusesToSummarizeNothing(t *testing.T) {
	_, err := Summarize(nil)
	assert.ErrorContains(t, err, "no load pod's log")
	_, err = Summarize([]PodLog{{Log: steady(t, 0, 1, 2, 1)}, {Log: &Log{}}})
	assert.ErrorContains(t, err, "load pod 1: the log has no operation")
	_, err = Summarize([]PodLog{{Log: steady(t, 0, 1, 2, 0), Errors: 5}})
	assert.ErrorContains(t, err, "the log has no operation, only empty intervals", "a rate of nothing is no number")
}

func TestRefusesKindsThatCountDifferently(t *testing.T) {
	_, err := Summarize([]PodLog{{Log: NewLog([]Interval{
		interval(t, 0, 1, service("W"), 1, 2, 3),
		interval(t, 0, 1, Tag{Operation: "W", Kind: v1beta1.LatencyResponse}, 1, 2),
	})}})
	assert.ErrorContains(t, err, "3 operations but 2 response times")
}

// TestAMeasurementOfHoursStaysFarBelowEtcdsLimit uses the largest measurement: 300 intervals from 64 pods, three kinds, long tails.
func TestAMeasurementOfHoursStaysFarBelowEtcdsLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	var ivs []Interval
	for i := range 600 {
		for _, kind := range []v1beta1.LatencyKind{"service", "response", "wait"} {
			ivs = append(ivs, interval(t, float64(i), float64(i+1), Tag{Operation: "READ", Kind: kind}, latencies(r, 2000)...))
		}
	}
	l := NewLog(ivs)
	result, err := Summarize([]PodLog{{Log: l}, {Log: l}})
	require.NoError(t, err)
	assert.LessOrEqual(t, len(result.Intervals.Operations), MaxIntervals)
	data, err := json.Marshal(result)
	require.NoError(t, err)
	t.Logf("status.result takes %d bytes", len(data))
	assert.Less(t, len(data), 100_000)

	chunks, err := PackLog(l, MaxChunks)
	require.NoError(t, err)
	for i, c := range chunks {
		t.Logf("chunk %d takes %d bytes", i, len(c))
		assert.LessOrEqual(t, len(c), MaxChunk)
	}
	assert.Greater(t, len(chunks), 1, "the case must be large enough to be cut")
	back, err := UnpackLog(chunks)
	require.NoError(t, err)
	want, err := l.Total("response")
	require.NoError(t, err)
	got, err := back.Total("response")
	require.NoError(t, err)
	assert.Equal(t, buckets(want), buckets(got))

	_, err = UnpackLog(chunks[:len(chunks)-1])
	assert.ErrorContains(t, err, "unexpected EOF", "a missing chunk")
	again, err := PackLog(l, MaxChunks)
	require.NoError(t, err)
	assert.Equal(t, chunks, again, "equal logs give equal bytes")
}

func TestLogNamesTellMeasurementAttemptPodAndChunk(t *testing.T) {
	name := LogName("quorum-disruptor-r1-write-1", 2, 0, 1, []byte("abc"))
	assert.Equal(t, "quorum-disruptor-r1-write-1-a2-p0-log-1-ba7816bf8f01cfea", name)
	assert.NotEqual(t, name, LogName("quorum-disruptor-r1-write-1", 2, 0, 1, []byte("abd")), "another log has another name")
}

// TestAgreesWithHdrHistogramsJavaLibrary compares with the Java library's percentiles of the same logs (testdata/README.md).
func TestAgreesWithHdrHistogramsJavaLibrary(t *testing.T) {
	logs, err := filepath.Glob("testdata/*.hlog")
	require.NoError(t, err)
	require.NotEmpty(t, logs)
	for _, path := range logs {
		want, err := os.ReadFile(strings.TrimSuffix(path, ".hlog") + ".percentiles")
		require.NoError(t, err)
		assert.Equal(t, string(want), percentilesOf(t, readFixture(t, filepath.Base(path))), path)
	}
}

// percentilesOf prints the same as testdata/Percentiles.java.
func percentilesOf(t *testing.T, l *Log) string {
	t.Helper()
	var b strings.Builder
	for _, suffix := range []v1beta1.LatencyKind{"response", "service", "wait"} { // -rt, -st, -wt
		for _, operation := range l.Operations() {
			of := &Log{}
			for _, iv := range l.Intervals {
				if iv.Tag == (Tag{Operation: operation, Kind: suffix}) {
					of.Intervals = append(of.Intervals, iv)
				}
			}
			if len(of.Intervals) == 0 {
				continue
			}
			h, err := of.Total(suffix)
			require.NoError(t, err)
			fmt.Fprintf(&b, "%s %d", Tag{Operation: operation, Kind: suffix}, h.TotalCount())
			for _, p := range []float64{50, 95, 99, 99.9, 100} {
				b.WriteString(" " + strconv.FormatInt(ValueAt(h, p), 10))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// TestJavaReadsWhatWeWrite passes a written, merged, coalesced log to the Java library.
func TestJavaReadsWhatWeWrite(t *testing.T) {
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip("no java on this machine; the committed *.percentiles are compared all the same")
	}
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	jar := filepath.Join(home, ".m2/repository/org/hdrhistogram/HdrHistogram/2.2.2/HdrHistogram-2.2.2.jar")
	if _, err := os.Stat(jar); err != nil {
		t.Skip("no HdrHistogram 2.2.2 in the Maven cache; testdata/README.md says how to get it")
	}
	r := rand.New(rand.NewPCG(1, 8))
	pod := func(start float64) *Log {
		var ivs []Interval
		for i := range 50 {
			from := start + float64(i)
			ivs = append(ivs, interval(t, from, from+1, service("READ"), latencies(r, 300)...),
				interval(t, from, from+1, Tag{Operation: "READ", Kind: v1beta1.LatencyResponse}, latencies(r, 300)...))
		}
		return NewLog(ivs)
	}
	merged, err := Merge(pod(0), pod(0.3), pod(1.7))
	require.NoError(t, err)
	short, err := Coalesce(merged, 20)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, WriteLog(&b, short, "written by a test"))
	path := filepath.Join(t.TempDir(), "merged.hlog")
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	out, err := exec.Command(java, "-cp", jar, "testdata/Percentiles.java", path).CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, percentilesOf(t, merged), string(out))

	out, err = exec.Command(java, "-cp", jar, "org.HdrHistogram.HistogramLogProcessor", "-i", path, "-tag", "READ-st").CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), "Total count    =        45000")
}

func TestSummarize_countsFailedOperationsAmongTheLatenciesOnly(t *testing.T) {
	log := steady(t, 0, 1, 10, 99) // of a millisecond, each second
	failed := hdrhistogram.NewPacked(1, int64(time.Hour), 3)
	require.NoError(t, failed.RecordValues(int64(30*time.Second), 110))
	log = NewLog(append(log.Intervals, Interval{Start: log.End.Add(-time.Second), End: log.End, Tag: Tag{Operation: log.Intervals[0].Tag.Operation, Kind: Failed}, Histogram: failed}))
	r, err := Summarize([]PodLog{{Log: log, Operations: 990, Errors: 110}})
	require.NoError(t, err)
	assert.Equal(t, int64(990), r.Operations)
	require.Len(t, r.Latencies, 1, "it is no kind of its own")
	assert.Equal(t, "30", string(r.Latencies[0].P95Millis)[:2])
	assert.NotEqual(t, "30", string(r.Latencies[0].MedianMillis)[:2])
	assert.Equal(t, v1beta1.Decimal("99.0"), r.OpRate)
}

func TestImpossible_removesAndNamesFigures(t *testing.T) {
	result := v1beta1.Result{
		OpRate: "NaN", KeyRate: "12.0",
		Latencies: []v1beta1.Latency{{MedianMillis: "1.000", MeanMillis: "-3.000"}},
		Faults:    []v1beta1.FaultEffect{{}, {Availability: "+Inf"}},
		Capacity:  &v1beta1.Capacity{Steps: []v1beta1.CapacityStep{{PercentileMillis: "2.000", QueueGrowth: "-4.0"}}},
	}
	assert.Equal(t, []string{"capacity.steps[0].percentileMillis=-1.000"}, Impossible(&v1beta1.Result{Capacity: &v1beta1.Capacity{Steps: []v1beta1.CapacityStep{{PercentileMillis: "-1.000"}}}}))
	assert.Equal(t, []string{"faults[1].availability=+Inf", "opRate=NaN", "latencies[0].meanMillis=-3.000"}, Impossible(&result))
	assert.Equal(t, v1beta1.Decimal("0.0"), result.OpRate, "the schema requires one")
	assert.Empty(t, result.Faults[1].Availability)
	assert.Equal(t, v1beta1.Decimal("-4.0"), result.Capacity.Steps[0].QueueGrowth, "a queue may shrink")
	assert.Empty(t, Impossible(&result))
}

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
