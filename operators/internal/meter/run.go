package meter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/loadtool"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// Time limits for reaching the API server.
const (
	startPatience = 5 * time.Minute
	// toolPatience is the time limit for the load tool's container. It precedes meter's in the pod, so its image is already present.
	toolPatience    = 5 * time.Minute
	deliverPatience = 15 * time.Minute
	// farewellPatience is the rest of a pod's grace period of 30 s after the tool was stopped.
	farewellPatience = 15 * time.Second
)

// Intervals of the run; those towards the API server are in orders. Following the log costs one read per poll.
const (
	followEvery = 200 * time.Millisecond
	// stopPatience is slightly longer than the load tool's time to end.
	stopPatience  = 12 * time.Second
	progressLimit = 4 * time.Second
)

// Run does all of meter's work for one pod and returns its exit code. The end of ctx is a request to terminate: the tool is stopped, and
// the part marked as failed.
func Run(ctx context.Context, c Config, api *API) int {
	server, err := serveMetrics(c.Listen)
	if err != nil {
		logf("%v", err)
		return orders.ExitUsage
	}
	defer server.close()
	shared, err := openFolder(c.Scratch)
	if err != nil {
		logf("%v", err)
		return orders.ExitUsage
	}
	defer shared.close()
	r := &run{config: c, api: api, server: server, shared: shared, part: v1beta1.Part{
		Index: c.Index, Attempt: c.Attempt, State: v1beta1.PartReady, Pod: c.Pod, Node: c.Node,
	}}
	code := r.do(ctx)
	r.leaveTool()
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
	shared      folder
	tool        *loadtool.Conn[loadtool.Report, loadtool.Order]
	hello       loadtool.Hello
	part        v1beta1.Part
	measurement *v1beta1.Measurement
	share       orders.Share
	arms        arms
	profiling   profiling
	// before is the reading of the store's pods before the load.
	before reading
	// timing checks the log as the tool writes it; began is the earliest start of the load.
	timing measure.Timing
	began  time.Time
	// final is the time of the metrics' last change.
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
		r.profiling.stop()
		return r.fail(ctx, err)
	}
	if err := r.deliver(ctx); err != nil {
		return r.fail(ctx, err)
	}
	return orders.ExitDone
}

// prepare computes the pod's share and reports that the pod is ready.
func (r *run) prepare(ctx context.Context) error {
	// This is first, because the other container waits until it has met meter.
	if err := r.awaitTool(ctx); err != nil {
		return err
	}
	patience, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	err := Retry(patience, "read the orders", func(ctx context.Context) (err error) {
		r.measurement, err = r.api.Measurement(ctx)
		return err
	})
	if err != nil {
		return err
	}
	r.share, err = orders.Shares(r.measurement.Spec, r.config.Index)
	if err != nil {
		return &exitError{orders.ExitUsage, err.Error()}
	}
	if r.arms, err = r.findArms(patience); err != nil {
		return err
	}
	// A log from an earlier run of these containers would count as this load's.
	if err := r.shared.clear(hlogName, summaryName, startName, readyName); err != nil {
		return &exitError{orders.ExitToolFailed, fmt.Sprintf("an old log cannot be removed: %v", err)}
	}
	if r.waits() {
		if err := r.launch(patience); err != nil {
			return err
		}
	}
	return Retry(patience, "say that the pod is ready", func(ctx context.Context) error { return r.api.WritePart(ctx, r.part) })
}

// awaitStart waits for the announced time. An unavailable API server only delays it.
func (r *run) awaitStart(ctx context.Context) error {
	for {
		var m *v1beta1.Measurement
		err := Retry(ctx, "wait for the start", func(ctx context.Context) (err error) {
			m, err = r.api.Measurement(ctx)
			return err
		})
		if err != nil {
			return err
		}
		if m.Status.StartAt != nil {
			r.measurement = m
			r.began = time.Now().Add(max(time.Until(m.Status.StartAt.Time), 0))
			if err := r.tellStart(m.Status.StartAt.Time); err != nil {
				return err
			}
			r.readBefore(ctx)
			return sleep(ctx, time.Until(m.Status.StartAt.Time))
		}
		if err := sleep(ctx, orders.StartPoll(r.measurement.Spec.Pods)); err != nil {
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

// drive runs the tool to its end and reads its log meanwhile.
func (r *run) drive(ctx context.Context) error {
	if err := r.begin(); err != nil {
		return err
	}
	asking, done := context.WithCancel(ctx)
	defer done()
	estimates := r.watchClock(asking)
	r.part.State = v1beta1.PartRunning
	r.arms.setActive(true)
	defer r.arms.setActive(false)
	follower := measure.FollowOpened(hlogName, func() (*os.File, error) { return r.shared.open(hlogName) })
	defer follower.Close() //nolint:errcheck // only read
	follower.Counters = r.arms.takeCounters

	progress := startProgress(ctx, r.api)
	defer progress.stop()
	follow, tell := time.NewTicker(followEvery), time.NewTicker(orders.ProgressEvery(r.measurement.Spec.Pods))
	defer follow.Stop()
	defer tell.Stop()
	progress.tell(r.part)
	var fault error
	for fault == nil {
		select {
		case report, more := <-r.tool.Received():
			switch {
			case !more:
				return toolLost()
			case report.Usage != nil:
				r.arms.setCPU(report.Usage)
			case report.Ended != nil:
				ended := time.Now()
				r.readAfter(ctx)
				return r.ended(*report.Ended, ended, follower)
			}
		case <-follow.C:
			fault = errors.Join(follower.Poll(r.take), r.arms.strange)
			if r.arms.operations() > 0 {
				r.startProfile(ctx)
			}
		case <-tell.C:
			r.progress()
			progress.tell(r.part)
		case estimate := <-estimates:
			noteClock(&r.part, estimate)
		case fault = <-progress.superseded:
		case <-ctx.Done():
			fault = ctx.Err()
		}
	}
	r.stopTool()
	if errors.Is(fault, ErrSuperseded) || ctx.Err() != nil {
		return fault
	}
	return &exitError{orders.ExitToolFailed, fmt.Sprintf("the load's log cannot be read: %v", fault)}
}

// take records an interval of the log.
func (r *run) take(iv measure.Interval) {
	r.timing.Add(iv)
	r.arms.take(iv)
}

// environment returns the variables with the pod's share and the output files.
func (r *run) environment() []string {
	environment := slices.Concat(r.share.Environment(r.measurement.Spec), []string{
		orders.EnvHlog + "=" + filepath.Join(r.config.Scratch, hlogName),
		orders.EnvSummary + "=" + filepath.Join(r.config.Scratch, summaryName),
	})
	if r.waits() {
		environment = append(environment, orders.EnvStart+"="+filepath.Join(r.config.Scratch, startName))
	}
	return environment
}

func (r *run) progress() {
	r.part.Operations = r.arms.operations()
	if rate, p95, ok := r.arms.latest(); ok {
		r.part.OpRate, r.part.P95Millis = measure.Rate(rate), measure.Millis(p95)
	}
}

// exitError is an error with meter's exit code.
type exitError struct {
	code    int
	message string
}

func (f *exitError) Error() string { return f.message }

// terminated is the message of a pod that was asked to end.
const terminated = "terminated"

// fail marks the part as failed, if possible and wanted, and returns the exit code.
func (r *run) fail(ctx context.Context, err error) int {
	code, message := orders.ExitUndelivered, err.Error()
	var f *exitError
	switch {
	case errors.As(err, &f):
		code = f.code
	case errors.Is(err, ErrSuperseded):
		r.part.Message = message
		return orders.ExitSuperseded
	case ctx.Err() != nil:
		code, message = orders.ExitTerminated, terminated
	}
	r.part.State, r.part.Message = v1beta1.PartFailed, message
	if code == orders.ExitUndelivered {
		return code // the API server was unreachable for a long time
	}
	patience, cancel := lingering(ctx, deliverPatience)
	defer cancel()
	if err := Retry(patience, "report the failure", func(ctx context.Context) error { return r.api.WritePart(ctx, r.part) }); err != nil {
		logf("%v", err)
	}
	return code
}

// writeTerminationMessage writes the termination message for Kubernetes, which reads 4096 bytes.
func writeTerminationMessage(path, message string) {
	message = cut(message, 4096)
	if err := os.WriteFile(path, []byte(message), 0o644); err != nil && message != "" {
		logf("no termination message: %v", err)
	}
}

// cut returns the beginning of a text, at most so many bytes.
func cut(text string, most int) string {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}
