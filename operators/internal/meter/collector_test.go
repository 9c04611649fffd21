package meter

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/metrics"
)

func testMeasurement() *v1beta1.Measurement {
	return &v1beta1.Measurement{
		ObjectMeta: metav1.ObjectMeta{Name: "quorum-disruptor-r1-read-2", Namespace: "ringside", UID: "1234", Labels: map[string]string{v1beta1.LabelRun: "20261121-001500"}},
		Spec: v1beta1.MeasurementSpec{
			Experiment: "cassandra-quorum", Run: "20261121-001500", Store: "cassandra", Server: "ours", ServerType: "disruptor", Round: 1, Phase: "read",
			Operation: "read", Repeat: 2, Operations: 1000, Keys: 1000, Threads: 10, Pods: 1, Consistency: "quorum",
		},
		Status: v1beta1.MeasurementStatus{Attempt: 1},
	}
}

func testInterval(t testing.TB, from float64, kind v1beta1.LatencyKind, millis ...int64) measure.Interval {
	t.Helper()
	h := hdrhistogram.NewPacked(1, 3_600_000_000_000, 3)
	for _, ms := range millis {
		require.NoError(t, h.RecordValue(ms*1_000_000))
	}
	start := time.Unix(1_795_221_583, 0).Add(time.Duration(from * 1e9))
	return measure.Interval{Start: start, End: start.Add(time.Second), Tag: measure.Tag{Operation: "READ", Kind: kind}, Histogram: h}
}

// errorLines returns the metrics of errors, with every kind, so that each series starts at 0.
func errorLines(cell string, counts map[v1beta1.ErrorKind]int) string {
	experiment, rest, _ := strings.Cut(cell, ",") // labels are sorted by name
	var lines strings.Builder
	for _, kind := range v1beta1.ErrorKinds() {
		fmt.Fprintf(&lines, "ringside_load_errors_total{%s,kind=%q,%s} %d\n", experiment, kind, rest, counts[kind])
	}
	return lines.String()
}

func TestServesWhatThePodDid(t *testing.T) {
	c := NewCollector(testMeasurement(), 1, orders.Share{Operations: 1000, Threads: 10, TargetRate: 500}, "")
	c.SetActive(true)
	c.Add(testInterval(t, 0, v1beta1.LatencyService, 1, 2, 3))
	c.Add(testInterval(t, 0, v1beta1.LatencyResponse, 10, 20, 30))
	c.Add(testInterval(t, 1, v1beta1.LatencyService, 4))
	c.Add(testInterval(t, 1, v1beta1.LatencyResponse, 40))
	c.SetErrors([]v1beta1.ErrorCount{{Kind: v1beta1.ErrorRefused, Count: 3}, {Kind: v1beta1.ErrorTimedOut, Count: 4}})
	c.SetCPU(0.25, 1500*time.Millisecond)
	const cell = `experiment="cassandra-quorum",operation="read",phase="read",repeat="2",round="1",run="20261121-001500",server="ours",store="cassandra"`
	want := strings.ReplaceAll(`
# HELP ringside_load_active_seconds Time from the start of the first interval to the end of the last; in an interleaved phase, the sum of the server's windows.
# TYPE ringside_load_active_seconds gauge
ringside_load_active_seconds{CELL} 2
# HELP ringside_load_cpu_throttled_seconds_total Time in which the CPU limit throttled the container while it drove load.
# TYPE ringside_load_cpu_throttled_seconds_total counter
ringside_load_cpu_throttled_seconds_total{CELL} 1.5
# HELP ringside_load_cpu_used_ratio Share of the CPU available to the container that it used in the last seconds.
# TYPE ringside_load_cpu_used_ratio gauge
ringside_load_cpu_used_ratio{CELL} 0.25
# HELP ringside_load_errors_total Failed operations by kind; reported when the load tool ends.
# TYPE ringside_load_errors_total counter
ERRORS# HELP ringside_load_operations_total Answered operations.
# TYPE ringside_load_operations_total counter
ringside_load_operations_total{CELL} 4
# HELP ringside_load_phase_active 1 while the load runs.
# TYPE ringside_load_phase_active gauge
ringside_load_phase_active{CELL} 1
# HELP ringside_load_target_operations_per_second Constant rate of this pod in operations per second; 0 for a closed loop.
# TYPE ringside_load_target_operations_per_second gauge
ringside_load_target_operations_per_second{CELL} 500
# HELP ringside_load_threads Threads of this pod's load.
# TYPE ringside_load_threads gauge
ringside_load_threads{CELL} 10
`, "CELL", cell)
	want = strings.ReplaceAll(want, "ERRORS", errorLines(cell, map[v1beta1.ErrorKind]int{v1beta1.ErrorRefused: 3, v1beta1.ErrorTimedOut: 4}))
	require.NoError(t, testutil.CollectAndCompare(c, strings.NewReader(want), metrics.LoadActiveSeconds, metrics.LoadThrottledSeconds, metrics.LoadCPUUsedRatio,
		metrics.LoadErrors, metrics.LoadOperations, metrics.LoadPhaseActive, metrics.LoadTargetRate, metrics.LoadThreads))

	families := gather(t, c)
	info := families[metrics.LoadPhaseInfo].Metric[0]
	labels := map[string]string{}
	for _, l := range info.Label {
		labels[l.GetName()] = l.GetValue()
	}
	assert.Equal(t, "disruptor", labels[metrics.LabelServerType])
	assert.Equal(t, "quorum", labels[metrics.LabelConsistency])
	assert.Equal(t, "quorum-disruptor-r1-read-2", labels[metrics.LabelMeasurement])
	assert.Equal(t, "1", labels[metrics.LabelAttempt])

	latency := families[metrics.LoadLatency]
	require.Len(t, latency.Metric, 2, "service and response times apart")
	for _, m := range latency.Metric {
		assert.Equal(t, uint64(4), m.Histogram.GetSampleCount())
		assert.NotEmpty(t, m.Histogram.PositiveSpan, "a native histogram")
	}
	quantiles := map[string]float64{}
	for _, m := range families[metrics.LoadIntervalLatency].Metric {
		byName := map[string]string{}
		for _, l := range m.Label {
			byName[l.GetName()] = l.GetValue()
		}
		quantiles[byName[metrics.LabelKind]+" "+byName[metrics.LabelQuantile]] = m.Gauge.GetValue()
	}
	assert.Len(t, quantiles, 10)
	assert.InEpsilon(t, 0.002, quantiles["service 0.5"], 0.001)
	assert.InEpsilon(t, 0.040, quantiles["response max"], 0.001)
}

func TestMetricsHoldToPrometheusConventions(t *testing.T) {
	c := NewCollector(testMeasurement(), 1, orders.Share{}, "")
	c.Add(testInterval(t, 0, v1beta1.LatencyService, 1))
	problems, err := testutil.CollectAndLint(c)
	require.NoError(t, err)
	for _, p := range problems {
		// Intended: a Prometheus without native histograms reads the quantiles of the last seconds from gauges.
		assert.Equal(t, metrics.LoadIntervalLatency, p.Metric, p.Text)
		assert.Equal(t, `non-summary metrics should not have "quantile" label`, p.Text)
	}
}

func TestIntervalGaugesLookBackFiveSeconds(t *testing.T) {
	c := NewCollector(testMeasurement(), 1, orders.Share{}, "")
	_, _, ok := c.Latest()
	assert.False(t, ok, "nothing yet")
	c.Add(testInterval(t, 0, v1beta1.LatencyService, 900))
	for i := range 5 {
		c.Add(testInterval(t, float64(1+i), v1beta1.LatencyService, 1, 1))
	}
	rate, p95, ok := c.Latest()
	require.True(t, ok)
	assert.InDelta(t, 2, rate, 1e-9)
	assert.Less(t, p95, int64(2_000_000), "the slow first second has left the window")
	assert.Equal(t, int64(11), c.Operations())
}

func gather(t *testing.T, c prometheus.Collector) map[string]*metricFamily {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	require.NoError(t, registry.Register(c))
	gathered, err := registry.Gather()
	require.NoError(t, err)
	families := map[string]*metricFamily{}
	for _, f := range gathered {
		families[f.GetName()] = f
	}
	return families
}

func BenchmarkAddInterval(b *testing.B) {
	c := NewCollector(testMeasurement(), 1, orders.Share{}, "")
	iv := testInterval(b, 0, v1beta1.LatencyService)
	for i := range int64(500) {
		if err := iv.Histogram.RecordValues(100_000+i*i*1000, 10); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		iv.Start, iv.End = iv.End, iv.End.Add(100*time.Millisecond)
		c.Add(iv)
	}
}

// countingStore answers the questions that have an answer, and passes the number of the question to it.
func countingStore(t *testing.T, answers map[string]func(asked int) string) string {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	go func() {
		request := make([]byte, 100)
		asked := map[string]int{}
		for {
			n, from, err := socket.ReadFrom(request)
			if err != nil {
				return
			}
			question, id, _ := strings.Cut(string(request[:n]), " ")
			asked[question]++
			if answer := answers[question]; answer != nil {
				_, _ = socket.WriteTo([]byte("id "+id+"\n"+answer(asked[question])), from)
			}
		}
	}()
	return socket.LocalAddr().String()
}

func growing(asked int) string {
	return fmt.Sprintf("cpu_ns %d\nput_bytes %d\nwritten_bytes %d\n", asked, 1000*asked, 5000*asked)
}

func TestReadsWhatTheStoreWroteBeforeAndAfterTheLoad(t *testing.T) {
	t.Parallel()
	address := countingStore(t, map[string]func(int) string{"counters": growing, "sizes": func(int) string { return "live_bytes 40\ndisk_bytes 60\nopen_files 3\n" }})
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "until", "RINGSIDE_COUNTERS="+address)
	require.Eventually(t, func() bool { s := api.states(); return len(s) > 0 && s[len(s)-1] == v1beta1.PartRunning }, patience, followEvery)
	assert.Nil(t, api.last(t).StoreReadings, "half of it says nothing")
	require.NoError(t, os.WriteFile(filepath.Join(p.scratch, "end"), nil, 0o600))
	require.Equal(t, orders.ExitDone, p.wait(t))
	assert.Equal(t, &v1beta1.StoreReadings{
		Before: map[string]int64{"put_bytes": 1000, "written_bytes": 5000},
		After:  map[string]int64{"put_bytes": 2000, "written_bytes": 10_000},
		Sizes:  map[string]int64{"live_bytes": 40, "disk_bytes": 60},
	}, api.last(t).StoreReadings)
}

func TestALoadIsDeliveredWhateverTheStoreTells(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answers map[string]func(int) string
		want    *v1beta1.StoreReadings
	}{
		"nothing":  {nil, nil},
		"no bytes": {map[string]func(int) string{"counters": func(int) string { return "cpu_ns 7\n" }}, nil},
		"nothing after the start": {map[string]func(int) string{"counters": func(asked int) string {
			if asked > 1 {
				return "broken"
			}
			return growing(asked)
		}}, nil},
		"no sizes": {map[string]func(int) string{"counters": growing}, &v1beta1.StoreReadings{
			Before: map[string]int64{"put_bytes": 1000, "written_bytes": 5000}, After: map[string]int64{"put_bytes": 2000, "written_bytes": 10_000},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t, startedMeasurement())
			p := startPod(t, api.URL, "", "RINGSIDE_COUNTERS="+countingStore(t, test.answers))
			require.Equal(t, orders.ExitDone, p.wait(t))
			part := api.last(t)
			assert.Equal(t, v1beta1.PartDone, part.State)
			assert.Equal(t, int64(1000), part.Operations)
			assert.Empty(t, part.Message)
			assert.Equal(t, test.want, part.StoreReadings)
		})
	}
}

// The reading is a part of the time between the announcement of a start and the start, at which several load pods begin together.
func TestASilentStoreDelaysNoCommonStart(t *testing.T) {
	t.Parallel()
	for pods, longest := range map[int32]time.Duration{1: readingPatience + time.Second/2, 2: 400 * time.Millisecond} {
		m := startedMeasurement()
		at := metav1.NewMicroTime(time.Now().Add(200 * time.Millisecond))
		m.Spec.Pods, m.Spec.Faults, m.Status.StartAt = pods, []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill}}, &at
		r := run{measurement: m, config: Config{Counters: []string{countingStore(t, nil), countingStore(t, nil)}}}
		began := time.Now()
		r.readBefore(t.Context())
		assert.Less(t, time.Since(began), longest, "%d load pods", pods)
	}
}

// TestBucketsEqualThoseOfObservingEveryValue compares the wire format with that of client_golang's own histogram, which observes the middle
// of each value's HdrHistogram bucket.
func TestBucketsEqualThoseOfObservingEveryValue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, geometry := range []struct {
		lowest int64
		digits int
	}{{1, 3}, {1, 1}, {1000, 2}, {1, 5}} {
		// 2^(1/16) is the largest factor not above 1.05, so the library chooses our schema.
		observed := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "observed", NativeHistogramBucketFactor: 1.05})
		var ours nativeHistogram
		for range 5 {
			h := hdrhistogram.NewPacked(geometry.lowest, 3_600_000_000_000, geometry.digits)
			for range 1000 {
				v := int64(1) << r.IntN(36)
				v += r.Int64N(v)
				require.NoError(t, h.RecordValue(v))
			}
			require.NoError(t, h.RecordValue(0))
			ours.add(h)
			middle := bucketMiddles(h)
			dense := hdrhistogram.New(geometry.lowest, 3_600_000_000_000, geometry.digits)
			require.Zero(t, h.MergeInto(dense))
			for _, bar := range dense.Distribution() {
				if bar.Count == 0 {
					continue
				}
				require.Equal(t, bar.From+(bar.To-bar.From+1)/2, middle(bar.From), "the middle of the bucket from %d to %d", bar.From, bar.To)
				for range bar.Count {
					observed.Observe(float64(middle(bar.From)) / 1e9)
				}
			}
		}
		want := wire(t, observed)
		got, err := prometheus.NewConstNativeHistogram(prometheus.NewDesc("observed", "", nil, nil), ours.count, ours.sum, ours.buckets, nil, ours.zero, nativeSchema, nativeZeroThreshold, time.Now())
		require.NoError(t, err)
		have := wire(t, got)
		assert.Equal(t, want.GetSchema(), have.GetSchema())
		assert.Equal(t, want.GetZeroThreshold(), have.GetZeroThreshold())
		assert.Equal(t, want.GetZeroCount(), have.GetZeroCount())
		assert.Equal(t, want.GetSampleCount(), have.GetSampleCount())
		assert.InEpsilon(t, want.GetSampleSum(), have.GetSampleSum(), 1e-9)
		assert.Equal(t, want.GetPositiveSpan(), have.GetPositiveSpan())
		assert.Equal(t, want.GetPositiveDelta(), have.GetPositiveDelta())
	}
}

func wire(t *testing.T, m prometheus.Metric) *dto.Histogram {
	t.Helper()
	var out dto.Metric
	require.NoError(t, m.Write(&out))
	return out.GetHistogram()
}

func TestNativeBucketsHoldTheirUpperBound(t *testing.T) {
	assert.Equal(t, 0, nativeKey(1))
	assert.Equal(t, 1, nativeKey(1.0000001))
	assert.Equal(t, 16, nativeKey(2))
	assert.Equal(t, -16, nativeKey(0.5))
	assert.Equal(t, -15, nativeKey(0.5000001))
}
