package meter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/metrics"
)

// How long meter tries to reach the API server before it gives up.
const (
	startPatience   = 5 * time.Minute
	deliverPatience = 15 * time.Minute
	// farewellPatience is what is left of a pod's grace period of 30 s once the tool has been stopped.
	farewellPatience = 15 * time.Second
)

// Rhythm of the run. Following costs one read per poll, progress two requests.
const (
	followEvery   = 200 * time.Millisecond
	progressEvery = 5 * time.Second
	startPoll     = 500 * time.Millisecond
	cpuEvery      = metrics.LoadWindowSeconds * time.Second
	stopGrace     = 10 * time.Second
	progressLimit = 4 * time.Second
)

// Streams that the load tool's output is passed to.
type Streams struct{ Out, Err io.Writer }

// Run does all of meter's work for one pod and returns its exit code. The end of ctx is a request to terminate: the tool is
// stopped, the part marked as failed. The caller has made sure that no other child process runs.
func Run(ctx context.Context, c Config, api *API, streams Streams) int {
	server, err := serveMetrics(c.Listen)
	if err != nil {
		logf("%v", err)
		return orders.ExitUsage
	}
	defer server.close()
	r := &run{config: c, api: api, server: server, streams: streams, part: v1alpha1.Part{
		Index: c.Index, Attempt: c.Attempt, State: v1alpha1.PartReady, Pod: c.Pod, Node: c.Node,
	}}
	code := r.do(ctx)
	if r.part.Message != "" {
		logf("%s", r.part.Message)
	}
	writeTerminationMessage(c.TerminationLog, r.part.Message)
	if code == orders.ExitDone {
		server.awaitScrape(ctx, r.final, c.Linger)
	}
	return code
}

// run is the state of one pod's work.
type run struct {
	config      Config
	api         *API
	server      *metricsServer
	streams     Streams
	part        v1alpha1.Part
	measurement *v1alpha1.Measurement
	share       orders.Share
	collector   *Collector
	recorder    measure.Recorder
	cpu         *CPU
	cpuStart    CPUReading
	// final is when the metrics took their last values.
	final time.Time
}

func (r *run) do(ctx context.Context) int {
	if err := r.prepare(ctx); err != nil {
		return r.fail(ctx, err)
	}
	if err := r.awaitStart(ctx); err != nil {
		return r.fail(ctx, err)
	}
	err := r.drive(ctx)
	r.final = time.Now()
	if err != nil {
		return r.fail(ctx, err)
	}
	if err := r.deliver(ctx); err != nil {
		return r.fail(ctx, err)
	}
	return orders.ExitDone
}

// prepare takes the pod's share and says that it is ready.
func (r *run) prepare(ctx context.Context) error {
	patience, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	err := retry(patience, "read the orders", func(ctx context.Context) (err error) {
		r.measurement, err = r.api.Measurement(ctx)
		return err
	})
	if err != nil {
		return err
	}
	r.share, err = orders.Shares(r.measurement.Spec, r.config.Index)
	if err != nil {
		return &failure{orders.ExitUsage, err.Error()}
	}
	r.collector = NewCollector(r.measurement, r.config.Attempt, r.share)
	if err := r.server.registry.Register(r.collector); err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	if r.cpu, err = FindCPU("/sys/fs/cgroup", "/proc/self/cgroup"); err != nil {
		logf("the pod's CPU usage will not be known: %v", err)
	}
	// A log of an earlier life of this container would be counted as this load's.
	for _, old := range []string{r.config.Hlog, r.config.Summary} {
		if err := os.Remove(old); err != nil && !errors.Is(err, os.ErrNotExist) {
			return &failure{orders.ExitToolFailed, fmt.Sprintf("%s cannot be written: %v", old, err)}
		}
	}
	return retry(patience, "say that the pod is ready", func(ctx context.Context) error { return r.api.WritePart(ctx, r.part) })
}

// awaitStart waits for the announced instant. An API server that is away only delays it.
func (r *run) awaitStart(ctx context.Context) error {
	for {
		var m *v1alpha1.Measurement
		err := retry(ctx, "wait for the start", func(ctx context.Context) (err error) {
			m, err = r.api.Measurement(ctx)
			return err
		})
		if err != nil {
			return err
		}
		if m.Status.StartAt != nil {
			r.measurement = m
			return sleep(ctx, time.Until(m.Status.StartAt.Time))
		}
		if err := sleep(ctx, startPoll); err != nil {
			return err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// drive runs the tool to its end and reads its log as it grows.
func (r *run) drive(ctx context.Context) error {
	if r.cpu != nil {
		r.cpuStart, _ = r.cpu.Read() // what cannot be read now shows as nothing used
	}
	tool, err := StartTool(r.config.Command, r.environment(), r.streams.Out, r.streams.Err)
	if err != nil {
		return &failure{orders.ExitToolFailed, err.Error()}
	}
	r.part.State = v1alpha1.PartRunning
	r.collector.SetActive(true)
	defer r.collector.SetActive(false)
	follower := measure.NewFollower(r.config.Hlog)
	defer follower.Close() //nolint:errcheck // only read

	progress := startProgress(ctx, r.api)
	defer progress.stop()
	follow, tell, look := time.NewTicker(followEvery), time.NewTicker(progressEvery), time.NewTicker(cpuEvery)
	defer follow.Stop()
	defer tell.Stop()
	defer look.Stop()
	progress.tell(r.part)
	cpuBefore := r.cpuStart
	var fault error
	for fault == nil {
		select {
		case <-tool.Done():
			r.measureCPU()
			if err := EndOrphans(); err != nil {
				logf("%v", err)
			}
			return r.ended(tool, follower)
		case <-follow.C:
			fault = follower.Poll(r.take)
		case <-tell.C:
			r.progress()
			progress.tell(r.part)
		case <-look.C:
			cpuBefore = r.lookAtCPU(cpuBefore)
		case fault = <-progress.superseded:
		case <-ctx.Done():
			fault = ctx.Err()
		}
	}
	tool.Stop(stopGrace)
	if err := EndOrphans(); err != nil {
		logf("%v", err)
	}
	if errors.Is(fault, ErrSuperseded) || ctx.Err() != nil {
		return fault
	}
	return &failure{orders.ExitToolFailed, fmt.Sprintf("the load's log cannot be read: %v", fault)}
}

// environment is meter's own with the pod's share laid over it.
func (r *run) environment() []string {
	return slices.Concat(os.Environ(), r.share.Environment(r.measurement.Spec), []string{
		orders.EnvHlog + "=" + r.config.Hlog,
		orders.EnvSummary + "=" + r.config.Summary,
	})
}

func (r *run) take(iv measure.Interval) {
	r.collector.Add(iv)
	// The recorder fails only when histograms change their resolution, which Log finds again.
	if err := r.recorder.Add(iv); err != nil {
		logf("%v", err)
	}
}

func (r *run) progress() {
	r.part.Operations = r.collector.Operations()
	if rate, p95, ok := r.collector.Latest(); ok {
		r.part.OpRate, r.part.P95Millis = measure.Rate(rate), measure.Millis(p95)
	}
}

func (r *run) lookAtCPU(before CPUReading) CPUReading {
	if r.cpu == nil {
		return before
	}
	now, err := r.cpu.Read()
	if err != nil {
		return before
	}
	r.collector.SetCPU(r.cpu.UsedRatio(before, now), now.Throttled-r.cpuStart.Throttled)
	return now
}

// measureCPU over the whole load.
func (r *run) measureCPU() {
	if r.cpu == nil {
		return
	}
	now, err := r.cpu.Read()
	if err != nil {
		logf("%v", err)
		return
	}
	r.part.CPUUsedPermille = int64(1000*r.cpu.UsedRatio(r.cpuStart, now) + 0.5)
	r.part.ThrottledMillis = (now.Throttled - r.cpuStart.Throttled).Milliseconds()
	r.collector.SetCPU(r.cpu.UsedRatio(r.cpuStart, now), now.Throttled-r.cpuStart.Throttled)
}

// ended reads the rest of the log and settles the pod's counts.
func (r *run) ended(tool *Tool, follower *measure.Follower) error {
	exit := tool.Exit()
	readErr := follower.Finish(r.take)
	if exit.Code != 0 {
		// The end of the log of a tool that failed is of no interest.
		r.progress()
		return &failure{exit.Code, strings.TrimSpace(fmt.Sprintf("the load tool %s\n%s", exit, tool.LastLines()))}
	}
	if readErr != nil {
		return &failure{orders.ExitToolFailed, fmt.Sprintf("the load's log cannot be read: %v", readErr)}
	}
	log, err := r.recorder.Log()
	if err != nil {
		return &failure{orders.ExitToolFailed, fmt.Sprintf("the load's log cannot be read: %v", err)}
	}
	if len(log.Intervals) == 0 {
		return &failure{orders.ExitToolFailed, strings.TrimSpace(fmt.Sprintf("the load tool ended well but left no operation in %s\n%s", r.config.Hlog, tool.LastLines()))}
	}
	r.progress()
	told, err := readSummary(r.config.Summary)
	counts := reconcile(log.OperationCount(), told, r.share)
	if err != nil {
		counts.Doubt = err.Error()
	}
	r.part.Operations, r.part.Errors, r.part.Keys, r.part.Message = counts.Operations, counts.Errors, counts.Keys, counts.Doubt
	r.part.FirstIntervalAt = microTime(log.Start)
	r.part.LastIntervalAt = microTime(log.End)
	r.collector.SetErrors(counts.Errors)
	return nil
}

func microTime(t time.Time) *metav1.MicroTime {
	m := metav1.NewMicroTime(t)
	return &m
}

// deliver stores the log, then says that the part is done: a part that is done has its log.
func (r *run) deliver(ctx context.Context) error {
	patience, cancel := lingering(ctx, deliverPatience)
	defer cancel()
	log, err := r.recorder.Log()
	if err != nil {
		return err
	}
	chunks, err := measure.PackLog(log)
	if err != nil {
		return err
	}
	for i, chunk := range chunks {
		err := retry(patience, "store the log", func(ctx context.Context) error {
			name, err := r.api.StoreLog(ctx, r.measurement, i, chunk)
			if err == nil {
				r.part.Logs = append(r.part.Logs, name)
			}
			return err
		})
		if err != nil {
			return undelivered(err)
		}
	}
	r.part.State = v1alpha1.PartDone
	if err := retry(patience, "deliver the result", func(ctx context.Context) error { return r.api.WritePart(ctx, r.part) }); err != nil {
		return undelivered(err)
	}
	return nil
}

func undelivered(err error) error {
	if errors.Is(err, ErrSuperseded) {
		return err
	}
	return &failure{orders.ExitUndelivered, err.Error()}
}

// lingering is a context that outlives the request to terminate by what a pod's grace period allows, so that a load that has
// ended is still delivered.
func lingering(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(farewellPatience, cancel) })
	return longer, func() { stop(); cancel() }
}

// failure is an error with the exit code it ends meter with.
type failure struct {
	code    int
	message string
}

func (f *failure) Error() string { return f.message }

// fail marks the part as failed, so far as that is possible and wanted, and gives the exit code.
func (r *run) fail(ctx context.Context, err error) int {
	code, message := orders.ExitUndelivered, err.Error()
	var f *failure
	switch {
	case errors.As(err, &f):
		code = f.code
	case errors.Is(err, ErrSuperseded):
		r.part.Message = message
		return orders.ExitSuperseded
	case ctx.Err() != nil:
		code, message = orders.ExitTerminated, "terminated"
	}
	r.part.State, r.part.Message = v1alpha1.PartFailed, message
	if code == orders.ExitUndelivered {
		return code // what could not be reached for so long will not be reached now
	}
	patience, cancel := lingering(ctx, deliverPatience)
	defer cancel()
	if err := retry(patience, "report the failure", func(ctx context.Context) error { return r.api.WritePart(ctx, r.part) }); err != nil {
		logf("%v", err)
	}
	return code
}

// writeTerminationMessage leaves the last words where Kubernetes takes them from; it takes 4096 bytes.
func writeTerminationMessage(path, message string) {
	const most = 4096
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "")
	}
	if err := os.WriteFile(path, []byte(message), 0o644); err != nil && message != "" {
		logf("no termination message: %v", err)
	}
}
