package meter

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// pendingAt answers each question for sizes with the pending compactions that follow, and the last of them from then on.
func pendingAt(counts ...int) map[string]func(int) string {
	return map[string]func(int) string{"sizes": func(asked int) string {
		return fmt.Sprintf("pending_compactions %d\n", counts[min(asked, len(counts))-1])
	}}
}

func TestPodsReadThePendingCompactionsBeforeAndAfterTheLoad(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answers map[string]func(int) string
		before  *int64
		after   *int64
	}{
		"of all nodes":                 {pendingAt(2, 5), new(int64(4)), new(int64(10))},
		"a store that does not report": {map[string]func(int) string{"sizes": func(int) string { return "disk_bytes 1\n" }}, nil, nil},
		"a store that does not answer": {nil, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t, startedMeasurement())
			p := startPod(t, api.URL, "", "RINGSIDE_COUNTERS="+countingStore(t, test.answers)+","+countingStore(t, test.answers))
			require.Equal(t, orders.ExitDone, p.wait(t))
			assert.Equal(t, test.before, api.last(t).PendingCompactions)
			assert.Equal(t, test.after, api.last(t).PendingCompactionsAfter)
		})
	}
}

func TestAPhaseEndsWhenTheStoreHasNoPendingCompactions(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limit  time.Duration
		counts []int // before the load, after it, and then in each poll
		logged string
		left   int64
	}{
		"they end":                  {time.Minute, []int{0, 5, 5, 0, 2, 0}, "the store had no pending compactions", 0},
		"they do not end in time":   {2 * time.Second, []int{0, 5}, "the store still had 5 pending compactions 2s after the load", 5},
		"no wait without the field": {0, []int{0, 5}, "", 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := startedMeasurement()
			if test.limit > 0 {
				m.Spec.AwaitCompactions = &metav1.Duration{Duration: test.limit}
			}
			api := newFakeAPI(t, m)
			p := startPod(t, api.URL, "", "RINGSIDE_COUNTERS="+countingStore(t, pendingAt(test.counts...)))
			require.Equal(t, orders.ExitDone, p.wait(t))
			part := api.last(t)
			assert.Equal(t, v1beta1.PartDone, part.State)
			assert.Equal(t, new(int64(0)), part.PendingCompactions, "the compactions before the load")
			assert.Equal(t, new(test.left), part.PendingCompactionsAfter)
			if test.logged == "" {
				assert.NotContains(t, p.out.String(), "after the load")
			}
			assert.Contains(t, p.out.String(), test.logged)
		})
	}
}

func TestBytesOfCompactionsThatAPhaseAwaitsAreItsOwn(t *testing.T) {
	t.Parallel()
	m := startedMeasurement()
	m.Spec.AwaitCompactions = &metav1.Duration{Duration: time.Minute}
	api := newFakeAPI(t, m)
	answers := pendingAt(0, 5, 5, 0)
	answers["counters"] = growing // 5,000 bytes before the load, 10,000 after it, 15,000 after the wait
	p := startPod(t, api.URL, "", "RINGSIDE_COUNTERS="+countingStore(t, answers))
	require.Equal(t, orders.ExitDone, p.wait(t))
	readings := api.last(t).StoreReadings
	require.NotNil(t, readings)
	assert.Equal(t, int64(10_000), readings.After["written_bytes"]-readings.Before["written_bytes"])
}

func TestALoadIsDeliveredBeforeTheWaitForCompactions(t *testing.T) {
	t.Parallel()
	m := startedMeasurement()
	m.Spec.AwaitCompactions = &metav1.Duration{Duration: time.Hour}
	api := newFakeAPI(t, m)
	answers := pendingAt(0, 5)
	answers["counters"] = growing
	p := startPod(t, api.URL, "", "RINGSIDE_COUNTERS="+countingStore(t, answers))
	require.Eventually(t, func() bool { s := api.states(); return len(s) > 0 && s[len(s)-1] == v1beta1.PartSettling }, patience, 20*time.Millisecond)
	delivered := api.last(t)
	assert.Equal(t, int64(1000), delivered.Operations)
	assert.Len(t, delivered.Logs, 1)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	assert.Equal(t, orders.ExitDone, p.wait(t), "an eviction in the wait loses nothing")
	part := api.last(t)
	assert.Equal(t, v1beta1.PartDone, part.State)
	assert.Equal(t, delivered.Logs, part.Logs)
	assert.Equal(t, new(int64(5)), part.PendingCompactionsAfter)
	assert.NotNil(t, part.StoreReadings)
}

func TestTheWaitForCompactionsEnds(t *testing.T) {
	t.Parallel()
	const unknown = -1
	for name, test := range map[string]struct {
		readings []int64 // one each second
		want     string
		known    bool // before the load
	}{
		"after successive readings of none":              {[]int64{4, 0, 0, 1, 0, 0, 0}, "the store had no pending compactions 6s after the load", false},
		"not before, for want of answers":                {[]int64{0, 0, unknown, 0, 0, 0}, "the store had no pending compactions 5s after the load", false},
		"if the store never reports them":                {[]int64{unknown, unknown, unknown, unknown, unknown}, "the wait for compactions ended 4s after the load: the store does not report them", false},
		"not before, if they were known before the load": {[]int64{unknown, unknown, unknown, unknown, unknown, unknown, unknown, unknown, 3}, "the store still had 3 pending compactions 8s after the load", true},
		"not before, after a single answer":              {[]int64{9, unknown, unknown, unknown, unknown, unknown, unknown, unknown, 7}, "the store still had 7 pending compactions 8s after the load", false},
		"at the limit, with some left":                   {[]int64{9, 9, 9, 9, 9, 9, 9, 9, 8}, "the store still had 8 pending compactions 8s after the load", false},
		"at the limit, without the last one":             {[]int64{9, 9, 9, 9, 9, 9, 9, 9, unknown}, "the pending compactions are not known 8s after the load", false},
		"at once, if there is nothing to wait":           {[]int64{0, 0, 0}, "the store had no pending compactions 2s after the load", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wait := compactionsWait{limit: 8 * time.Second, answered: test.known}
			for second, reading := range test.readings {
				var pending *int64
				if reading != unknown {
					pending = new(reading)
				}
				how := wait.after(pending, time.Duration(second)*time.Second)
				if second < len(test.readings)-1 {
					require.Empty(t, how, "second %d", second)
				} else {
					assert.Equal(t, test.want, how)
				}
			}
		})
	}
}

func TestOnePodAsksWhatNodesDidForOneAnotherUnderFaults(t *testing.T) {
	t.Parallel()
	keeping := map[string]func(int) string{"events": func(asked int) string { return fmt.Sprintf("hints_kept %d\nread_repairs 4\n", 10*asked) }}
	for index, want := range map[int]*v1beta1.StoreEvents{
		0: {Nodes: 2, Of: 3, Counts: map[string]int64{"hints_kept": 20, "read_repairs": 0}},
		1: nil,
	} {
		t.Run(fmt.Sprintf("pod %d", index), func(t *testing.T) {
			t.Parallel()
			m := startedMeasurement()
			m.Spec.Pods, m.Spec.Faults = 2, []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill}}
			at := metav1.NewMicroTime(time.Now().Add(time.Second))
			m.Status.StartAt = &at
			api := newFakeAPI(t, m)
			nodes := countingStore(t, keeping) + "," + countingStore(t, nil) + "," + countingStore(t, keeping)
			p := startPod(t, api.URL, "", "RINGSIDE_COUNTERS="+nodes, fmt.Sprintf("JOB_COMPLETION_INDEX=%d", index))
			require.Equal(t, orders.ExitDone, p.wait(t))
			assert.Equal(t, want, api.last(t).StoreEvents)
			assert.Nil(t, api.last(t).StoreReadings)
		})
	}
}

func TestALoadUnderFaultsComparesItsClock(t *testing.T) {
	t.Parallel()
	for _, faults := range [][]v1beta1.FaultSpec{nil, {{Kind: v1beta1.FaultKill}}} {
		m := startedMeasurement()
		m.Spec.Faults = faults
		api := newFakeAPI(t, m)
		require.Equal(t, orders.ExitDone, startPod(t, api.URL, "").wait(t))
		assert.Equal(t, len(faults) > 0, api.last(t).ClockOffsetMicros != nil)
	}
}

// The most memory that a correct load makes meter use. The limit of its container allows more than twice that.
func TestMeterFitsIntoItsMemory(t *testing.T) {
	const servers, windows, times = 16, 300, 2000
	before := heap()
	start := time.Unix(1_800_000_000, 0)
	recorders := make([]measure.WindowRecorder, servers)
	for window := range windows {
		for server := range recorders {
			for _, kind := range []v1beta1.LatencyKind{v1beta1.LatencyService, v1beta1.LatencyResponse} {
				histogram := hdrhistogram.NewPacked(1, 3_600_000_000_000, 3)
				for n := range int64(times) {
					require.NoError(t, histogram.RecordValue(100_000+n*n*20))
				}
				at := start.Add(time.Duration(window*servers+server) * time.Second)
				require.NoError(t, recorders[server].Add(measure.Interval{Start: at, End: at.Add(time.Second), Tag: measure.Tag{Operation: "READ", Kind: kind}, Histogram: histogram}))
			}
		}
	}
	var packed [][]byte
	for server := range recorders {
		log, err := recorders[server].Log()
		require.NoError(t, err)
		chunks, err := measure.PackLog(log, measure.ChunksOf(1, servers))
		require.NoError(t, err)
		packed = append(packed, chunks...)
	}
	used := heap() - before
	t.Logf("%d servers, %d windows of %d different times in two kinds: %d MiB", servers, windows, times, used>>20)
	assert.Less(t, used, int64(loadgen.MeterMemory/2))
	runtime.KeepAlive(recorders)
	runtime.KeepAlive(packed)
}

func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
