package meter

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// startedMeasurement returns a measurement whose start is already announced.
func startedMeasurement() *v1beta1.Measurement {
	m := testMeasurement()
	now := metav1.NowMicro()
	m.Status.StartAt = &now
	return m
}

func TestDeliversLogAndCounts(t *testing.T) {
	t.Parallel()
	m := testMeasurement()
	api := newFakeAPI(t, m)
	api.failures = 3
	started := time.Now()
	api.onPart = func(p v1beta1.Part) {
		if p.State == v1beta1.PartReady && m.Status.StartAt == nil {
			at := metav1.NewMicroTime(time.Now().Add(700 * time.Millisecond))
			m.Status.StartAt = &at
		}
	}
	p := startPod(t, api.URL, "")
	require.Equal(t, orders.ExitDone, p.wait(t))

	states := api.states() // progress is written concurrently with the run, and the end of such a short run may overtake it
	assert.Equal(t, v1beta1.PartReady, states[0])
	part := api.last(t)
	assert.Equal(t, v1beta1.PartDone, part.State)
	assert.Equal(t, int64(1000), part.Operations)
	assert.Zero(t, part.Errors)
	assert.Empty(t, part.Message)
	assert.Equal(t, "load-0", part.Pod)
	assert.Equal(t, "node-1", part.Node)
	assert.Equal(t, int32(1), part.Attempt)
	assert.GreaterOrEqual(t, part.FirstIntervalAt.Time, started.Add(700*time.Millisecond), "not before the announced start")
	assert.Equal(t, time.Second, part.LastIntervalAt.Sub(part.FirstIntervalAt.Time))
	assert.Equal(t, v1beta1.Decimal("1000.0"), part.OpRate)
	assert.Equal(t, v1beta1.Decimal("10.002"), part.P95Millis)

	require.Len(t, part.Logs, 1)
	assert.Regexp(t, "^quorum-disruptor-r1-read-2-a1-p0-log-0-[0-9a-f]{16}$", part.Logs[0])
	stored := api.logs[part.Logs[0]]
	assert.Equal(t, "quorum-disruptor-r1-read-2", stored.Labels[v1beta1.LabelMeasurement])
	assert.Equal(t, "20261121-001500", stored.Labels[v1beta1.LabelRun])
	require.Len(t, stored.OwnerReferences, 1)
	assert.Equal(t, "Measurement", stored.OwnerReferences[0].Kind)
	assert.Equal(t, m.UID, stored.OwnerReferences[0].UID)
	log, err := measure.UnpackLog([][]byte{stored.BinaryData[measure.LogKey]})
	require.NoError(t, err)
	result, err := measure.Summarize([]measure.PodLog{{Log: log, Operations: part.Operations, Errors: part.Errors, Keys: part.Keys}})
	require.NoError(t, err)
	assert.Equal(t, int64(1000), result.Operations)
	assert.Contains(t, p.out.String(), "load: read of quorum in 1000 operations", "the tool's output is passed through")
	assert.Empty(t, p.lastWords(t))
}

func TestATwoPodLoadSharesItsTotals(t *testing.T) {
	t.Parallel()
	m := startedMeasurement()
	m.Spec.Pods, m.Spec.Operations = 2, 1001
	api := newFakeAPI(t, m)
	first := startPod(t, api.URL, "")
	second := startPod(t, api.URL, "", "JOB_COMPLETION_INDEX=1", "POD_NAME=load-1")
	require.Equal(t, orders.ExitDone, first.wait(t))
	require.Equal(t, orders.ExitDone, second.wait(t))
	require.Len(t, m.Status.Parts, 2, "neither overwrote the other")
	var total int64
	for _, p := range m.Status.Parts {
		assert.Equal(t, v1beta1.PartDone, p.State)
		assert.Empty(t, p.Message)
		total += p.Operations
	}
	assert.Equal(t, int64(1001), total)
}

func TestAFailingToolFailsThePodWithItsLastLines(t *testing.T) {
	t.Parallel()
	for behaviour, test := range map[string]struct {
		code int
		want []string
	}{
		"fail":   {3, []string{"the load tool exited with status 3", "load: line 49", "load: all hosts are down"}},
		"refuse": {orders.ExitUsage, []string{"the load tool exited with status 64", "load: RINGSIDE_OPERATION is flood; know write and read"}},
		"die":    {137, []string{"the load tool was ended by signal 9 (killed)"}},
		"silent": {orders.ExitToolFailed, []string{"the load tool ended well, but the log", "load.hlog has 0 of 1000 operations"}},
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t, startedMeasurement())
			p := startPod(t, api.URL, behaviour)
			assert.Equal(t, test.code, p.wait(t))
			part := api.last(t)
			assert.Equal(t, v1beta1.PartFailed, part.State)
			for _, want := range test.want {
				assert.Contains(t, part.Message, want)
			}
			assert.NotContains(t, part.Message, "load: line 3\n", "the last lines, not all")
			assert.Equal(t, part.Message, p.lastWords(t))
			assert.Empty(t, api.logs)
		})
	}
}

func TestADamagedLogStopsTheLoad(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "garbage") // the load would never end
	assert.Equal(t, orders.ExitToolFailed, p.wait(t))
	part := api.last(t)
	assert.Equal(t, v1beta1.PartFailed, part.State)
	assert.Contains(t, part.Message, "the load's log cannot be read: log line 15: decode histogram")
}

func TestCountsThatDoNotAddUpAreToldNotHidden(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "lose")
	assert.Equal(t, orders.ExitDone, p.wait(t))
	part := api.last(t)
	assert.Equal(t, v1beta1.PartDone, part.State)
	assert.Equal(t, int64(1000), part.Operations)
	assert.Equal(t, "the log has 1000 operations, but the load tool counted 1005 answered and 0 failed, of which it logged 0", part.Message)
	assert.NotEmpty(t, part.Logs, "the log is kept for who wants to look")
	assert.Equal(t, part.Message, p.lastWords(t))
}

func TestTheLastErrorOfALoadIsKept(t *testing.T) {
	t.Parallel()
	for behaviour, want := range map[string]string{"errors": "load: h:9160: Frame size (34) larger than max length (16)!", "": ""} {
		api := newFakeAPI(t, startedMeasurement())
		require.Equal(t, orders.ExitDone, startPod(t, api.URL, behaviour).wait(t))
		assert.Equal(t, want, api.last(t).LastError)
		assert.Empty(t, api.last(t).Message)
	}
}

func TestOrdersThatCannotBeSharedAreRefused(t *testing.T) {
	t.Parallel()
	m := startedMeasurement()
	m.Spec.Pods, m.Spec.Threads = 20, 10
	api := newFakeAPI(t, m)
	p := startPod(t, api.URL, "")
	assert.Equal(t, orders.ExitUsage, p.wait(t))
	assert.Equal(t, []v1beta1.PartPhase{"Failed"}, api.states())
	assert.Contains(t, api.last(t).Message, "10 threads cannot be divided among 20 load pods")
	assert.NotContains(t, p.out.String(), "load: read", "nothing was started")
}

func TestTheRunGoesOnWithoutAnAPIServerAndTheResultFollows(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "until")
	require.Eventually(t, func() bool { s := api.states(); return len(s) > 0 && s[len(s)-1] == v1beta1.PartRunning }, patience, 20*time.Millisecond)
	api.setAway(true)
	require.NoError(t, os.WriteFile(filepath.Join(p.scratch, "end"), nil, 0o600))
	require.Eventually(t, func() bool { api.mu.Lock(); defer api.mu.Unlock(); return api.refusals >= 3 }, patience, 20*time.Millisecond,
		"meter keeps trying")
	api.setAway(false)
	require.Equal(t, orders.ExitDone, p.wait(t))
	assert.Equal(t, v1beta1.PartDone, api.last(t).State)
	assert.Equal(t, int64(1000), api.last(t).Operations)
	assert.Len(t, api.logs, 1)
}

func TestAnAPIServerThatIsAwayAtFirstIsAwaited(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	api.setAway(true)
	p := startPod(t, api.URL, "")
	require.Eventually(t, func() bool { api.mu.Lock(); defer api.mu.Unlock(); return api.refusals >= 2 }, patience, 20*time.Millisecond)
	api.setAway(false)
	require.Equal(t, orders.ExitDone, p.wait(t))
	assert.Equal(t, v1beta1.PartReady, api.states()[0])
	assert.Equal(t, v1beta1.PartDone, api.last(t).State)
}

func alive(pid string) bool {
	data, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && !strings.Contains(string(data), ") Z ")
}

func TestTerminationReachesTheToolAndAllItsChildren(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"hang", "stubborn"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t, startedMeasurement())
			p := startPod(t, api.URL, behaviour)
			children := p.notes(t)
			require.Len(t, children, 2)
			for _, pid := range children {
				require.True(t, alive(pid))
			}
			require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
			assert.Equal(t, orders.ExitTerminated, p.wait(t))
			part := api.last(t)
			assert.Equal(t, v1beta1.PartFailed, part.State)
			assert.Equal(t, "terminated", part.Message)
			for _, pid := range children {
				assert.False(t, alive(pid), "process %s, which the tool started, lives on", pid)
			}
		})
	}
}

func TestAPodThatIsAskedToEndReportsItWhicheverHalfIsFirst(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "hang")
	children := p.notes(t)
	require.NoError(t, p.tool.Process.Signal(syscall.SIGTERM))
	assert.Equal(t, orders.ExitTerminated, p.wait(t))
	assert.Equal(t, "terminated", api.last(t).Message)
	for _, pid := range children {
		assert.False(t, alive(pid))
	}
}

func TestAToolWhoseContainerIsKilledIsLostNotAwaited(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "until")
	require.Eventually(t, func() bool { return slices.Contains(api.states(), v1beta1.PartRunning) }, patience, 20*time.Millisecond)
	require.NoError(t, p.tool.Process.Kill())
	assert.Equal(t, orders.ExitToolLost, p.wait(t))
	assert.Equal(t, v1beta1.PartFailed, api.last(t).State)
	assert.Contains(t, api.last(t).Message, "ended without a word")
	require.NoError(t, os.WriteFile(filepath.Join(p.scratch, "end"), nil, 0o600)) // no one else ends its tool
}

func TestTheToolEndsWithMeter(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "hang")
	children := p.notes(t)
	require.NoError(t, p.cmd.Process.Kill())
	p.wait(t)
	for _, pid := range children {
		assert.False(t, alive(pid))
	}
}

func TestALogThatIsALinkOutOfTheSharedFolderIsNotRead(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(secret, []byte("a-token-of-meter"), 0o600))
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "link", "RINGSIDE_PARAM_SECRET="+secret)
	assert.Equal(t, orders.ExitToolFailed, p.wait(t))
	assert.Contains(t, api.last(t).Message, "the load's log cannot be read")
	assert.NotContains(t, api.last(t).Message, "a-token-of-meter")
}

func TestWhatAToolLeavesBehindIsEndedAndTheResultStands(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "orphans")
	require.Equal(t, orders.ExitDone, p.wait(t))
	assert.Equal(t, v1beta1.PartDone, api.last(t).State)
	for _, pid := range p.notes(t) {
		assert.False(t, alive(pid), "process %s lives on", pid)
	}
}

func TestTerminationBeforeTheStartIsReported(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, testMeasurement())
	p := startPod(t, api.URL, "")
	require.Eventually(t, func() bool { return len(api.states()) == 1 }, patience, 20*time.Millisecond)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	assert.Equal(t, orders.ExitTerminated, p.wait(t))
	assert.Equal(t, []v1beta1.PartPhase{"Ready", "Failed"}, api.states())
	assert.NotContains(t, p.out.String(), "load: read", "nothing was started")
}

func TestAnAttemptThatWasSupersededEndsAndWritesNothing(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "hang")
	children := p.notes(t)
	require.Eventually(t, func() bool { s := api.states(); return len(s) > 0 && s[len(s)-1] == v1beta1.PartRunning }, patience, 20*time.Millisecond)
	api.change(func(m *v1beta1.Measurement) { m.Status.Attempt, m.Status.Parts, m.Status.StartAt = 2, nil, nil })
	assert.Equal(t, orders.ExitSuperseded, p.wait(t))
	assert.Empty(t, api.measurement.Status.Parts)
	assert.Contains(t, p.lastWords(t), "this pod belongs to attempt 1")
	for _, pid := range children {
		assert.False(t, alive(pid))
	}
}

func TestAMeasurementThatIsGoneEndsThePod(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	api.measurement = nil
	p := startPod(t, api.URL, "")
	assert.Equal(t, orders.ExitSuperseded, p.wait(t))
	assert.Contains(t, p.lastWords(t), "measurement quorum-disruptor-r1-read-2 does not exist any more")
}

func TestMetricsAreServedFromTheWaitToTheLastScrape(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, testMeasurement())
	port := freePort(t)
	url := "http://127.0.0.1:" + port + "/metrics"
	p := startPod(t, api.URL, "until", "RINGSIDE_METRICS_ADDRESS=127.0.0.1:"+port, "RINGSIDE_LINGER_SECONDS=600")
	require.Eventually(t, func() bool { return len(api.states()) == 1 }, patience, 20*time.Millisecond)
	assert.Equal(t, map[string]float64{"operations_total": 0, "phase_active": 0, "threads": 10}, scrape(t, url))

	now := metav1.NowMicro()
	api.change(func(m *v1beta1.Measurement) { m.Status.StartAt = &now })
	require.Eventually(t, func() bool { return scrape(t, url)["operations_total"] == 1000 }, patience, 20*time.Millisecond)
	assert.Equal(t, 1.0, scrape(t, url)["phase_active"])

	require.NoError(t, os.WriteFile(filepath.Join(p.scratch, "end"), nil, 0o600))
	require.Eventually(t, func() bool { s := api.states(); return s[len(s)-1] == v1beta1.PartDone }, patience, 20*time.Millisecond)
	assert.Nil(t, p.cmd.ProcessState, "it waits to be scraped")
	assert.Equal(t, 0.0, scrape(t, url)["phase_active"])
	require.Equal(t, orders.ExitDone, p.wait(t), "and ends once it was")
}

// Prometheus scrapes every 5 or 30 seconds, and a phase may end before the first scrape.
func TestAPodThatNobodyHasScrapedWaitsForItsFirstScrape(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	port := freePort(t)
	p := startPod(t, api.URL, "", "RINGSIDE_METRICS_ADDRESS=127.0.0.1:"+port, "RINGSIDE_LINGER_SECONDS=600")
	done := func() bool { s := api.states(); return len(s) > 0 && s[len(s)-1] == v1beta1.PartDone }
	require.Eventually(t, done, patience, 20*time.Millisecond)
	assert.Equal(t, 1000.0, scrape(t, "http://127.0.0.1:"+port+"/metrics")["operations_total"], "all that the CSV has")
	require.Equal(t, orders.ExitDone, p.wait(t), "and ends once it was")
}

func TestAPodWaitsForAScrapeWithinBounds(t *testing.T) {
	const longest = time.Hour
	for name, test := range map[string]struct {
		began, scraped, final time.Duration // before now; 0 for never
		longest               time.Duration
		waits                 bool
	}{
		"a short phase that nobody has scraped yet":       {began: 10 * time.Second, final: time.Second, longest: longest, waits: true},
		"a long one that nobody has scraped, nor will":    {began: 2 * time.Hour, final: time.Second, longest: longest},
		"scraped before its last values":                  {began: 2 * time.Hour, scraped: 10 * time.Second, final: time.Second, longest: longest, waits: true},
		"scraped since":                                   {began: 2 * time.Hour, scraped: time.Second, final: 10 * time.Second, longest: longest},
		"told not to wait":                                {began: 10 * time.Second, final: time.Second},
		"told not to wait, though scraped before the end": {began: 10 * time.Second, scraped: 2 * time.Second, final: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			now := time.Now()
			s := &metricsServer{began: now.Add(-test.began), scraped: make(chan struct{})}
			if test.scraped > 0 {
				s.lastBegun = now.Add(-test.scraped)
			}
			ended, end := context.WithCancel(t.Context())
			end()
			assert.Equal(t, test.waits, !s.awaitScrape(ended, now.Add(-test.final), test.longest))
		})
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close() //nolint:errcheck // only to learn a port
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

var sample = regexp.MustCompile(`(?m)^ringside_load_(operations_total|phase_active|threads)\{.*\} (.*)$`)

func fetch(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(body)
}

// scrape returns three of the metrics.
func scrape(t *testing.T, url string) map[string]float64 {
	t.Helper()
	values := map[string]float64{}
	for _, m := range sample.FindAllStringSubmatch(fetch(t, url), -1) {
		v, err := strconv.ParseFloat(m[2], 64)
		require.NoError(t, err)
		values[m[1]] = v
	}
	return values
}

func TestInstallLeavesAnExecutableCopy(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Install(dir))
	require.NoError(t, Install(dir), "again, over the first")
	self, err := os.Stat("/proc/self/exe")
	require.NoError(t, err)
	copied, err := os.Stat(filepath.Join(dir, "meter"))
	require.NoError(t, err)
	assert.Equal(t, self.Size(), copied.Size())
	assert.Equal(t, os.FileMode(0o755), copied.Mode().Perm())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing half done lies about")
	assert.ErrorContains(t, Install(filepath.Join(dir, "none")), "install meter")
}
