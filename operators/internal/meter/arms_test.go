package meter

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// roundLoad is an interleaved load tool for the servers ours, hsha and again: in five blocks, server i answers 10*(i+1) operations in a
// window of a tenth of a second. For ours, one logged operation fails.
func roundLoad(behaviour string) int {
	if os.Getenv(orders.EnvServerType) != "" {
		return refuseTest(fmt.Errorf("it was told one server type, %s", os.Getenv(orders.EnvServerType)))
	}
	servers := []string{"ours", "hsha", "again"}
	if behaviour == "lose-arm" {
		servers = servers[:2]
	}
	start := time.Now().Truncate(time.Millisecond)
	var all []measure.Interval
	var counters []measure.Counters
	for block := range 5 {
		for i, server := range servers {
			if behaviour == "stranger" && block == 4 {
				server = "nobody"
			}
			h := hdrhistogram.NewPacked(1, 3_600_000_000_000, 3)
			if err := h.RecordValues(1_000_000*int64(i+1), int64(10*(i+1))); err != nil {
				return refuseTest(err)
			}
			from := start.Add(time.Duration(block*3+i) * 100 * time.Millisecond)
			// One microsecond of CPU time for each operation of the first server, two for those of the second, and so on; unknown for one
			// window.
			c := measure.Counters{Arm: server, Start: from, End: from.Add(100 * time.Millisecond), Windows: 1}
			if block == 2 && i == 1 {
				c.Unknown = 1
			} else {
				c.Operations = int64(10 * (i + 1))
				c.Values = map[string]int64{"cpu_ns": 1000 * int64(i+1) * c.Operations}
			}
			counters = append(counters, c)
			for _, kind := range []v1beta1.LatencyKind{v1beta1.LatencyService, v1beta1.LatencyResponse} {
				all = append(all, measure.Interval{Start: from, End: from.Add(100 * time.Millisecond), Histogram: h, Tag: measure.Tag{Arm: server, Operation: "read", Kind: kind}})
			}
		}
	}
	file, err := os.Create(os.Getenv(orders.EnvHlog))
	if err != nil {
		return refuseTest(err)
	}
	written := measure.NewLog(all)
	written.Counters = counters
	if err := measure.WriteLog(file, written); err != nil {
		return refuseTest(err)
	}
	var summary strings.Builder
	for i, server := range servers {
		failed := 0
		if i == 0 {
			failed = 1
		}
		fmt.Fprintf(&summary, "%s.operations=%d\n%s.errors=%d\n%s.logged_errors=%d\n", server, 50*(i+1)-failed, server, failed, server, failed)
	}
	if behaviour == "until" {
		awaitEnd()
	}
	time.Sleep(time.Until(written.End)) // the load takes the time that its log covers
	if err := os.WriteFile(os.Getenv(orders.EnvSummary), []byte(summary.String()), 0o600); err != nil {
		return refuseTest(err)
	}
	return 0
}

// roundAPI returns an API with the measurements of three servers in an interleaved phase. That of ours leads and is the second.
func roundAPI(t *testing.T) *fakeAPI {
	lead := startedMeasurement()
	lead.Spec.Operations, lead.Spec.Duration = 0, &metav1.Duration{Duration: 2 * time.Second}
	lead.Spec.Interleave = &v1beta1.Interleave{Window: metav1.Duration{Duration: 100 * time.Millisecond}}
	companions := map[string]*v1beta1.Measurement{}
	for _, server := range []string{"hsha", "again"} {
		m := lead.DeepCopy()
		m.Name, m.UID, m.Spec.Server, m.Spec.Lead = "quorum-"+server+"-r1-read-2", types.UID(server), server, lead.Name
		companions[m.Name] = m
	}
	lead.Spec.Arms = []v1beta1.Arm{
		{Server: "hsha", Tag: "hsha", Measurement: "quorum-hsha-r1-read-2"},
		{Server: "ours", Tag: "ours", Measurement: lead.Name},
		{Server: "again", Tag: "again", Measurement: "quorum-again-r1-read-2"},
	}
	api := newFakeAPI(t, lead)
	api.companions = companions
	return api
}

func TestLoadThatGoesRoundIsDeliveredForEveryServersMeasurementAtOnce(t *testing.T) {
	t.Parallel()
	api := roundAPI(t)
	p := startPod(t, api.URL, "")
	require.Equal(t, orders.ExitDone, p.wait(t))
	lead := api.measurement.Name
	for name, want := range map[string]struct {
		operations, errors int64
		rate               v1beta1.Decimal
		cpu                v1beta1.Decimal
		unknown            int64
	}{
		lead: {49, 1, "98.0", "1.0", 0}, "quorum-hsha-r1-read-2": {100, 0, "200.0", "", 1} /* a fifth of the windows is unknown */, "quorum-again-r1-read-2": {150, 0, "300.0", "3.0", 0},
	} {
		part := api.last(t)
		if name != lead {
			part = api.companions[name].Status.Parts[0]
		}
		assert.Equal(t, v1beta1.PartDone, part.State, name)
		assert.Equal(t, want.operations, part.Operations, name)
		assert.Equal(t, want.errors, part.Errors, name)
		assert.Empty(t, part.Message, name)
		assert.Equal(t, "load-0", part.Pod, name)
		require.Len(t, part.Logs, 1, name)
		stored := api.logs[part.Logs[0]]
		assert.Regexp(t, "^"+lead+"-a1-p0-log-0-[0-9a-f]{16}$", stored.Name, "it is named after the pod's own measurement")
		assert.Equal(t, api.measurement.UID, stored.OwnerReferences[0].UID, "and belongs to it")
		assert.Equal(t, name, stored.Labels[v1beta1.LabelMeasurement], "and says whose it is")
		log, err := measure.UnpackLog([][]byte{stored.BinaryData[measure.LogKey]})
		require.NoError(t, err)
		assert.Equal(t, []string{"read"}, log.Operations(), "without the server's tag")
		result, err := measure.Summarize([]measure.PodLog{{Log: log, Operations: part.Operations, Errors: part.Errors}})
		require.NoError(t, err)
		assert.Equal(t, want.rate, result.OpRate, "over the server's own windows, half a second")
		assert.Equal(t, v1beta1.Decimal("0.5"), result.OperationSeconds)
		assert.Equal(t, v1beta1.LatencyResponse, result.LatencyKind)
		require.NotNil(t, result.StoreCPU, name)
		assert.Equal(t, want.cpu, result.StoreCPU.PerOpMicros, name)
		assert.Equal(t, want.unknown, result.StoreCPU.UnknownWindows, name)
		assert.Equal(t, 5-want.unknown, result.StoreCPU.Windows, name)
	}
}

func TestCountersOfADuetOnSharedPodsAreNobodys(t *testing.T) {
	recorder := &measure.WindowRecorder{}
	a := &arm{tag: "hsha", recorder: recorder}
	all := arms{all: []*arm{a}, byTag: map[string]*arm{"hsha": a}}
	all.takeCounters(measure.Counters{Arm: "xedin+hsha@xedin", Windows: 1})
	all.takeCounters(measure.Counters{Windows: 1})
	log, err := recorder.Log()
	require.NoError(t, err)
	assert.Empty(t, log.Counters)
}

// Where the sides have pods of their own, each has its own line for a window, under the tag that the plan gives to its measurement.
func TestCountersOfADuetOnPodsOfItsSidesAreThoseOfEachSide(t *testing.T) {
	all := arms{byTag: map[string]*arm{}, recent: window{length: time.Minute, turns: true}}
	for _, tag := range []string{"xedin", "hsha@xedin", "disruptor", "hsha@disruptor"} {
		m := startedMeasurement()
		a := &arm{tag: tag, measurement: m, collector: NewCollector(m, 1, orders.Share{}, tag), recorder: &measure.WindowRecorder{}}
		all.all, all.byTag[tag] = append(all.all, a), a
	}
	// What an operation costs each side, in nanoseconds of CPU time. The baseline costs more next to the other server.
	costs := map[string]int64{"xedin": 1000, "hsha@xedin": 2000, "disruptor": 3000, "hsha@disruptor": 4000}
	follow := measure.Parser{Counters: all.takeCounters}
	for line := range strings.Lines(duetLog(t, costs)) {
		iv, ok, err := follow.Parse(strings.TrimSuffix(line, "\n"))
		require.NoError(t, err)
		if ok {
			all.take(iv)
		}
	}
	require.NoError(t, all.strange)
	for _, a := range all.all {
		log, err := a.recorder.Log()
		require.NoError(t, err)
		result, err := measure.Summarize([]measure.PodLog{{Log: log}})
		require.NoError(t, err)
		require.NotNil(t, result.StoreCPU, a.tag)
		assert.Equal(t, measure.Micros(float64(costs[a.tag])), result.StoreCPU.PerOpMicros, a.tag)
		assert.EqualValues(t, 6, result.StoreCPU.Windows, a.tag)
		require.Len(t, result.Intervals.StoreCounters["cpu_ns"], 6, a.tag)
		for i, nanos := range result.Intervals.StoreCounters["cpu_ns"] {
			assert.Equal(t, costs[a.tag]*result.Intervals.Operations[i], nanos, "%s, window %d", a.tag, i)
		}
	}
}

// duetLog returns the log of six blocks of two duets, each with a window of a tenth of a second, as the library of loads writes it: first
// the windows of both sides, which have different lengths, then their counters.
func duetLog(t *testing.T, costs map[string]int64) string {
	var out strings.Builder
	out.WriteString("#[BaseTime: 1700000000.000 (seconds since epoch)]\n#[StartTime: 1700000000.000 (seconds since epoch)]\n")
	for block := range 6 {
		for i, sides := range [][]string{{"xedin", "hsha@xedin"}, {"hsha@disruptor", "disruptor"}} {
			var counters strings.Builder
			for side, tag := range sides {
				h := hdrhistogram.NewPacked(1, 3_600_000_000_000, 3)
				operations := int64(10 + block + 5*side)
				require.NoError(t, h.RecordValues(1_000_000, operations))
				encoded, err := measure.EncodeHistogram(h)
				require.NoError(t, err)
				start, length := float64(2*block+i)/5, 0.1+float64(side)/100
				fmt.Fprintf(&out, "Tag=%s/READ-st,%.3f,%.3f,1.000,%s\n", tag, start, length, encoded)
				fmt.Fprintf(&counters, "#[Counters: %s start=%.3f length=%.3f operations=%d windows=1 unknown=0 cpu_ns=%d]\n", tag, start, length, operations, costs[tag]*operations)
			}
			out.WriteString(counters.String())
		}
	}
	return out.String()
}

func TestLogThatLeavesAServerOutOrNamesAStrangerFailsTheAttempt(t *testing.T) {
	t.Parallel()
	for behaviour, want := range map[string]string{
		"lose-arm": "load.hlog has 0 operations of again",
		"stranger": "tag nobody/read-st belongs to no server of the interleaved load",
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			api := roundAPI(t)
			p := startPod(t, api.URL, behaviour)
			assert.Equal(t, orders.ExitToolFailed, p.wait(t))
			assert.Equal(t, v1beta1.PartFailed, api.last(t).State)
			assert.Contains(t, api.last(t).Message, want)
			for name, companion := range api.companions {
				assert.Empty(t, companion.Status.Parts, "nothing is delivered for %s by an attempt that failed", name)
			}
		})
	}
}

func TestEveryServerOfARoundHasItsOwnMetrics(t *testing.T) {
	t.Parallel()
	api := roundAPI(t)
	port := freePort(t)
	p := startPod(t, api.URL, "until", "RINGSIDE_METRICS_ADDRESS=127.0.0.1:"+port)
	url := "http://127.0.0.1:" + port + "/metrics"
	require.Eventually(t, func() bool { return len(api.states()) > 0 }, patience, 20*time.Millisecond)
	var found []string
	require.Eventually(t, func() bool {
		found = nil
		for _, line := range strings.Split(fetch(t, url), "\n") {
			if strings.HasPrefix(line, "ringside_load_operations_total{") || strings.HasPrefix(line, "ringside_load_active_seconds{") {
				name, labels, _ := strings.Cut(line, "{")
				_, server, _ := strings.Cut(labels, `server="`)
				server, _, _ = strings.Cut(server, `"`)
				found = append(found, name+" "+server+line[strings.LastIndex(line, " "):])
			}
		}
		slices.Sort(found)
		return slices.Contains(found, "ringside_load_operations_total again 150")
	}, patience, 20*time.Millisecond)
	assert.Equal(t, []string{
		"ringside_load_active_seconds again 0.5", "ringside_load_active_seconds hsha 0.5", "ringside_load_active_seconds ours 0.5",
		"ringside_load_operations_total again 150", "ringside_load_operations_total hsha 100", "ringside_load_operations_total ours 50",
	}, found)
	require.NoError(t, os.WriteFile(filepath.Join(p.scratch, "end"), nil, 0o600))
	require.Equal(t, orders.ExitDone, p.wait(t))
}

func TestLatestSecondsOfALoadThatGoesRoundAreThoseOfItsWindows(t *testing.T) {
	w := window{length: 5 * time.Second, turns: true}
	for i := range 20 {
		iv := testInterval(t, 7*float64(i), v1beta1.LatencyService, 1, 1, 1) // one second of every seven
		w.add(iv)
		iv.Tag.Kind = v1beta1.LatencyResponse
		w.add(iv)
	}
	h, covered, err := w.latest(v1beta1.LatencyService)
	require.NoError(t, err)
	assert.Equal(t, 5*time.Second, covered)
	assert.Equal(t, int64(15), h.TotalCount())
}
