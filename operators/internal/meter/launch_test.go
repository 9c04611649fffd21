package meter

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// asCommand is the path of the load tool, if it is not the test binary.
const asCommand = "RINGSIDE_TEST_COMMAND"

// waitingTool returns a load tool that can wait for its start, as the file next to it declares.
func waitingTool(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	command := filepath.Join(t.TempDir(), "load")
	require.NoError(t, os.Symlink(self, command))
	require.NoError(t, os.WriteFile(command+orders.WaitsSuffix, nil, 0o600))
	return asCommand + "=" + command
}

// waitForStart does what a load that can wait does: it connects (here, when the test allows it), confirms that, and begins when ordered.
func waitForStart(path string) error {
	awaitFile(filepath.Join(os.Getenv(orders.EnvScratch), "connect"))
	if err := os.WriteFile(path+orders.ReadySuffix, nil, 0o600); err != nil {
		return err
	}
	awaitFile(path)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	millis, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return fmt.Errorf("the start is %q: %w", text, err)
	}
	time.Sleep(time.Until(time.UnixMilli(millis)))
	return nil
}

func awaitFile(path string) {
	// The test may end and remove its folder before the file exists.
	for exists(filepath.Dir(path)) && !exists(path) {
		time.Sleep(10 * time.Millisecond)
	}
}

func TestAPodOfSeveralIsReadyOnceItsToolIsConnected(t *testing.T) {
	t.Parallel()
	m := testMeasurement()
	m.Spec.Pods = 2
	api := newFakeAPI(t, m)
	p := startPod(t, api.URL, "", waitingTool(t))
	require.Eventually(t, func() bool { return strings.Contains(p.out.String(), "load: read of") }, patience, 20*time.Millisecond, "the tool runs")
	assert.Empty(t, api.states(), "it is not connected")
	require.NoError(t, os.WriteFile(filepath.Join(p.scratch, "connect"), nil, 0o600))
	require.Eventually(t, func() bool { return len(api.states()) > 0 }, patience, 20*time.Millisecond)
	assert.True(t, api.last(t).Connected)
	at := metav1.NewMicroTime(time.Now().Add(time.Second).Truncate(time.Millisecond))
	api.change(func(m *v1beta1.Measurement) { m.Status.StartAt = &at })
	require.Equal(t, orders.ExitDone, p.wait(t))
	part := api.last(t)
	assert.Equal(t, v1beta1.PartDone, part.State)
	assert.GreaterOrEqual(t, part.FirstIntervalAt.Time, at.Time, "not before the announced start")
	assert.Equal(t, int64(500), part.Operations)
}

func TestAToolThatEndsBeforeItsStartFailsThePod(t *testing.T) {
	t.Parallel()
	m := testMeasurement()
	m.Spec.Pods = 2
	api := newFakeAPI(t, m)
	p := startPod(t, api.URL, "refuse", waitingTool(t))
	assert.Equal(t, orders.ExitUsage, p.wait(t))
	assert.Equal(t, []v1beta1.PartPhase{v1beta1.PartFailed}, api.states(), "it was never ready")
	assert.Contains(t, api.last(t).Message, "before its start")
}

func TestAPodThatIsAskedToEndEndsAToolThatWaits(t *testing.T) {
	t.Parallel()
	m := testMeasurement()
	m.Spec.Pods = 2
	api := newFakeAPI(t, m)
	p := startPod(t, api.URL, "", waitingTool(t))
	require.Eventually(t, func() bool { return strings.Contains(p.out.String(), "load: read of") }, patience, 20*time.Millisecond)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	assert.Equal(t, orders.ExitTerminated, p.wait(t))
	assert.Equal(t, v1beta1.PartFailed, api.last(t).State)
}

// distortions returns changes of a log of ten intervals in one second, by the load's behaviour.
func distortions() map[string]func([]measure.Interval) {
	shift := func(iv *measure.Interval, by time.Duration) { iv.Start, iv.End = iv.Start.Add(by), iv.End.Add(by) }
	scaled := func(all []measure.Interval, value func(i int) int64) {
		for i := range all {
			h := hdrhistogram.NewPacked(1, 24*3_600_000_000_000, 3)
			if err := h.RecordValues(value(i), all[i].Histogram.TotalCount()); err != nil {
				panic(err)
			}
			all[i].Histogram = h
		}
	}
	return map[string]func([]measure.Interval){
		"set-back":    func(all []measure.Interval) { shift(&all[5], -time.Hour) },
		"set-forward": func(all []measure.Interval) { shift(&all[9], time.Hour) },
		"overlap":     func(all []measure.Interval) { shift(&all[5], -90*time.Millisecond) },
		"long":        func(all []measure.Interval) { all[9].End = all[9].End.Add(time.Hour) },
		"yesterday": func(all []measure.Interval) {
			for i := range all {
				shift(&all[i], -24*time.Hour)
			}
		},
		"a-day":        func(all []measure.Interval) { scaled(all, func(int) int64 { return 24 * 3_600_000_000_000 }) },
		"microseconds": func(all []measure.Interval) { scaled(all, func(i int) int64 { return 1000 * int64(i+1) }) },
	}
}

// A row of such a log would show 0.1 op/s in a phase of 2 s, or an operation of one day.
func TestALogThatContradictsTheClockIsInvalid(t *testing.T) {
	t.Parallel()
	for behaviour, want := range map[string]string{
		"set-back":     "the log has times that go back: an interval of READ-st from ",
		"overlap":      "the log has intervals that overlap: an interval of READ-st from ",
		"set-forward":  "the log covers 1h0m1s, from ",
		"long":         "the log covers 1h0m1s, from ",
		"yesterday":    "the log covers the time from ",
		"a-day":        "the log has an operation of 23h",
		"microseconds": "by the log 10 threads in a closed loop waited for answers during ",
		"instant":      "the log covers 1s, from ",
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			m := startedMeasurement()
			m.Spec.Threads = 10
			api := newFakeAPI(t, m)
			p := startPod(t, api.URL, behaviour)
			require.Equal(t, orders.ExitDone, p.wait(t))
			part := api.last(t)
			assert.Equal(t, v1beta1.PartDone, part.State)
			assert.Contains(t, part.Message, want, "which makes the row invalid")
			assert.NotEmpty(t, part.Logs, "the log is kept for who wants to look")
		})
	}
}

func TestALogOfTwoBaseTimesStopsTheLoad(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t, startedMeasurement())
	p := startPod(t, api.URL, "second-base")
	assert.Equal(t, orders.ExitToolFailed, p.wait(t))
	assert.Contains(t, api.last(t).Message, "the load's log cannot be read: log line 15: BaseTime is ")
}

func TestALogWithoutAnIntervalIsNamed(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"header-only", "comment-only", "empty-log"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t, startedMeasurement())
			p := startPod(t, api.URL, behaviour)
			assert.Equal(t, orders.ExitToolFailed, p.wait(t))
			assert.Contains(t, api.last(t).Message, "load.hlog has 0 of 1000 operations")
		})
	}
}
