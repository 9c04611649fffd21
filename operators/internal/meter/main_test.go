package meter

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"

	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/loadtool"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// The test binary is also the meter and the load tool of its tests, in separate processes.
const (
	asMeter = "RINGSIDE_TEST_METER"
	asTool  = "RINGSIDE_TEST_TOOL"
	asLoad  = "RINGSIDE_TEST_LOAD"
)

const (
	// patience for a busy machine
	patience = 2 * time.Minute
	// forever is longer than any test waits: a load that sleeps so long was ended, or the test fails
	forever = 10 * time.Minute
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(asLoad) != "":
		os.Exit(load())
	case os.Getenv(asTool) != "":
		os.Exit(toolMain())
	case os.Getenv(asMeter) != "":
		os.Exit(meterMain())
	}
	os.Exit(m.Run())
}

// meterMain is cmd/meter measure with an API server of the test.
func meterMain() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	c, err := ConfigFromEnvironment(os.LookupEnv)
	if err != nil {
		return refuseTest(err)
	}
	api, err := NewAPI(&rest.Config{Host: os.Getenv(asMeter)}, c)
	if err != nil {
		return refuseTest(err)
	}
	return Run(ctx, c, api)
}

// toolMain is cmd/meter tool, the part in the load tool's container.
func toolMain() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	self, err := os.Executable()
	if err != nil {
		return refuseTest(err)
	}
	if err := loadtool.AdoptOrphans(); err != nil {
		return refuseTest(err)
	}
	if err := os.Setenv(asLoad, "yes"); err != nil {
		return refuseTest(err)
	}
	if command := os.Getenv(asCommand); command != "" {
		self = command
	}
	return loadtool.Run(ctx, os.Getenv(asTool), []string{self}, loadtool.Streams{Out: os.Stdout, Err: os.Stderr})
}

func refuseTest(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 99
}

// load is a load tool: it completes its share immediately, in intervals of 100 ms, and then behaves as ordered.
func load() int {
	fmt.Printf("load: %s of %s in %s operations\n", os.Getenv(orders.EnvOperation), os.Getenv(orders.EnvConsistency), os.Getenv(orders.EnvOperations))
	behaviour := os.Getenv("RINGSIDE_PARAM_BEHAVIOUR")
	if behaviour == "refuse" {
		fmt.Fprintln(os.Stderr, "load: RINGSIDE_OPERATION is flood; know write and read")
		return orders.ExitUsage
	}
	if path := os.Getenv(orders.EnvStart); path != "" {
		if err := waitForStart(path); err != nil {
			return refuseTest(err)
		}
	}
	if behaviour == "silent" {
		return 0
	}
	if os.Getenv(orders.EnvDurationSeconds) != "" {
		return roundLoad(behaviour)
	}
	var operations int64
	if _, err := fmt.Sscan(os.Getenv(orders.EnvOperations), &operations); err != nil {
		return refuseTest(err)
	}
	if behaviour == "link" { // as a load would to get meter's secrets, before meter has opened anything
		_ = os.Symlink(os.Getenv("RINGSIDE_PARAM_SECRET"), os.Getenv(orders.EnvHlog))
		time.Sleep(forever)
	}
	file, err := os.Create(os.Getenv(orders.EnvHlog))
	if err != nil {
		return refuseTest(err)
	}
	const intervals = 10
	start := time.Now().Truncate(time.Millisecond)
	var all []measure.Interval
	for i := range int64(intervals) {
		h := hdrhistogram.NewPacked(1, 3_600_000_000_000, 3)
		n := operations / intervals
		if i < operations%intervals {
			n++
		}
		if err := h.RecordValues(1_000_000*(i+1), n); err != nil {
			return refuseTest(err)
		}
		all = append(all, measure.Interval{Start: start.Add(time.Duration(i) * 100 * time.Millisecond), End: start.Add(time.Duration(i+1) * 100 * time.Millisecond),
			Tag: measure.Tag{Operation: "READ", Kind: "service"}, Histogram: h})
	}
	if distort := distortions()[behaviour]; distort != nil {
		distort(all)
	}
	var text bytes.Buffer
	if err := measure.WriteLog(&text, &measure.Log{Start: start, Intervals: all}); err != nil {
		return refuseTest(err)
	}
	if behaviour == "second-base" {
		fmt.Fprintf(&text, "#[BaseTime: %d.000 (seconds since epoch)]\n", start.Unix()+3600)
	}
	if _, err := file.Write(text.Bytes()); err != nil {
		return refuseTest(err)
	}
	summary := fmt.Sprintf("operations=%d\nerrors=0\n", operations)
	switch behaviour {
	case "errors":
		summary = fmt.Sprintf("operations=%d\nerrors=5\nlogged_errors=5\n", operations-5)
		fmt.Fprintln(os.Stderr, "load: h:9160: Frame size (34) larger than max length (16)!")
	case "lose":
		summary = fmt.Sprintf("operations=%d\nerrors=0\n", operations+5)
	case "fail":
		for i := range 50 {
			fmt.Printf("load: line %d\n", i)
		}
		fmt.Fprintln(os.Stderr, "load: all hosts are down")
		return 3
	case "garbage":
		fmt.Fprintln(file, "0.5,0.1,0.1,HISTFgarbage")
		time.Sleep(forever)
	case "die":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "hang", "stubborn", "orphans":
		if behaviour == "stubborn" {
			signal.Ignore(syscall.SIGTERM)
		}
		// One child in the tool's group, and one that left the group.
		for _, session := range []bool{false, true} {
			child := exec.Command("sleep", "600")
			child.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
			if err := child.Start(); err != nil {
				return refuseTest(err)
			}
			note(fmt.Sprintf("%d\n", child.Process.Pid))
		}
		note("ready\n")
		if behaviour != "orphans" {
			time.Sleep(forever)
		}
	case "until":
		awaitEnd()
	case "header-only", "comment-only", "empty-log":
		kept := map[string]string{"header-only": strings.Join(strings.SplitAfter(text.String(), "\n")[:4], ""), "comment-only": "#[Histogram log format version 1.3]\n"}
		if err := os.WriteFile(os.Getenv(orders.EnvHlog), []byte(kept[behaviour]), 0o600); err != nil {
			return refuseTest(err)
		}
	}
	if behaviour != "instant" {
		time.Sleep(time.Until(start.Add(intervals * 100 * time.Millisecond))) // the load takes the time that its log covers
	}
	if err := os.WriteFile(os.Getenv(orders.EnvSummary), []byte(summary), 0o600); err != nil {
		return refuseTest(err)
	}
	return 0
}

// awaitEnd returns when the test has written the file "end", or has ended and removed its folder.
func awaitEnd() {
	scratch := os.Getenv(orders.EnvScratch)
	for exists(scratch) && !exists(filepath.Join(scratch, "end")) {
		time.Sleep(20 * time.Millisecond)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// note writes a line to the scratch folder for the test.
func note(line string) {
	f, err := os.OpenFile(filepath.Join(os.Getenv(orders.EnvScratch), "notes"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, _ = f.WriteString(line)
		_ = f.Close()
	}
}

// pod is a meter process under test, and the other part in the load tool's container.
type pod struct {
	cmd, tool *exec.Cmd
	scratch   string
	out       syncBuffer
}

// syncBuffer receives the output of both processes.
type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// startPod starts meter for a load with the behaviour. Its API server is at url.
func startPod(t *testing.T, url, behaviour string, environ ...string) *pod {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	// The paths of sockets must be short.
	folder, err := os.MkdirTemp("", "meter")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	socket := filepath.Join(folder, "socket")
	p := &pod{cmd: exec.Command(self), tool: exec.Command(self), scratch: t.TempDir()}
	p.cmd.Env = append(os.Environ(),
		asMeter+"="+url, "RINGSIDE_NAMESPACE=ringside", "RINGSIDE_MEASUREMENT=quorum-disruptor-r1-read-2",
		"RINGSIDE_ATTEMPT=1", "JOB_COMPLETION_INDEX=0", "POD_NAME=load-0", "NODE_NAME=node-1", "RINGSIDE_SCRATCH="+p.scratch, "RINGSIDE_SOCKET="+socket,
		"RINGSIDE_METRICS_ADDRESS=127.0.0.1:0", "RINGSIDE_LINGER_SECONDS=0", "RINGSIDE_TERMINATION_LOG="+filepath.Join(p.scratch, "last-words"))
	p.cmd.Env = append(p.cmd.Env, environ...)
	p.tool.Env = append(os.Environ(), asTool+"="+socket, "RINGSIDE_PARAM_BEHAVIOUR="+behaviour, "RINGSIDE_SCRATCH="+p.scratch)
	p.tool.Env = append(p.tool.Env, environ...)
	for _, half := range []*exec.Cmd{p.tool, p.cmd} {
		half.Stdout, half.Stderr = &p.out, &p.out
		require.NoError(t, half.Start())
	}
	t.Cleanup(func() {
		// On SIGTERM, they end their tool too; on SIGKILL, they could not.
		for _, half := range []*exec.Cmd{p.cmd, p.tool} {
			if half.ProcessState == nil {
				_ = half.Process.Signal(syscall.SIGTERM)
				force := time.AfterFunc(20*time.Second, func() { _ = half.Process.Kill() })
				_ = half.Wait()
				force.Stop()
			}
		}
		if t.Failed() {
			t.Logf("meter said:\n%s", p.out.String())
		}
	})
	return p
}

// wait waits for the end of both processes and returns meter's exit code.
func (p *pod) wait(t *testing.T) int {
	t.Helper()
	await(t, p.cmd)
	await(t, p.tool)
	return p.cmd.ProcessState.ExitCode()
}

func await(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if cmd.ProcessState != nil {
		return
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(patience):
		_ = cmd.Process.Signal(syscall.SIGQUIT) // prints the goroutines to the log
		<-ended
		t.Fatal("meter did not end")
	}
}

func (p *pod) lastWords(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(p.scratch, "last-words"))
	require.NoError(t, err)
	return string(data)
}

// notes returns the load's notes, once there are any.
func (p *pod) notes(t *testing.T) []string {
	t.Helper()
	var lines []string
	require.Eventually(t, func() bool {
		data, _ := os.ReadFile(filepath.Join(p.scratch, "notes"))
		lines = strings.Fields(string(data))
		return len(lines) > 0 && lines[len(lines)-1] == "ready"
	}, patience, 20*time.Millisecond)
	return lines[:len(lines)-1]
}
