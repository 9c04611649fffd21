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

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/link"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// How long meter tries to reach the API server before it gives up.
const (
	startPatience = 5 * time.Minute
	// toolPatience is how long the load tool's container may take to come. It is the one before in the pod, so that its image is there.
	toolPatience    = 5 * time.Minute
	deliverPatience = 15 * time.Minute
	// farewellPatience is what is left of a pod's grace period of 30 s once the tool has been stopped.
	farewellPatience = 15 * time.Second
)

// Rhythm of the run; towards the API server it is orders'. Following costs one read per poll.
const (
	followEvery = 200 * time.Millisecond
	// stopPatience is a little more than the load tool gets to end once it is asked to.
	stopPatience  = 12 * time.Second
	progressLimit = 4 * time.Second
)

// Run does all of meter's work for one pod and returns its exit code. The end of ctx is a request to terminate: the tool is
// stopped, the part marked as failed.
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
	r := &run{config: c, api: api, server: server, shared: shared, part: v1alpha1.Part{
		Index: c.Index, Attempt: c.Attempt, State: v1alpha1.PartReady, Pod: c.Pod, Node: c.Node,
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
	tool        *link.Conn[link.Report, link.Order]
	hello       link.Hello
	part        v1alpha1.Part
	measurement *v1alpha1.Measurement
	share       orders.Share
	arms        arms
	profiling   profiling
	// before the load began, what the store had counted of bytes; nil where it does not tell.
	before map[string]int64
	// eventsThen is what each of the store's nodes had done for others by then; nil where nobody asks.
	eventsThen []map[string]int64
	// timing of the log as the tool writes it, and when the tool may have begun its load.
	timing measure.Timing
	began  time.Time
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
		r.profiling.stop()
		return r.fail(ctx, err)
	}
	if err := r.deliver(ctx); err != nil {
		return r.fail(ctx, err)
	}
	return orders.ExitDone
}

// prepare takes the pod's share and says that it is ready.
func (r *run) prepare(ctx context.Context) error {
	// First of all: a meter that ended before it was met would leave the other container waiting.
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
		return &failure{orders.ExitUsage, err.Error()}
	}
	if r.arms, err = r.findArms(patience); err != nil {
		return err
	}
	// A log of an earlier life of these containers would be counted as this load's.
	if err := r.shared.clear(hlogName, summaryName, startName, readyName); err != nil {
		return &failure{orders.ExitToolFailed, fmt.Sprintf("an old log cannot be removed: %v", err)}
	}
	if r.waits() {
		if err := r.launch(patience); err != nil {
			return err
		}
	}
	return Retry(patience, "say that the pod is ready", func(ctx context.Context) error { return r.api.WritePart(ctx, r.part) })
}

// awaitStart waits for the announced instant. An API server that is away only delays it.
func (r *run) awaitStart(ctx context.Context) error {
	for {
		var m *v1alpha1.Measurement
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
			r.eventsBefore(ctx)
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

// drive lets the tool run to its end and reads its log as it grows.
func (r *run) drive(ctx context.Context) error {
	if err := r.begin(); err != nil {
		return err
	}
	asking, done := context.WithCancel(ctx)
	defer done()
	estimates := r.watchClock(asking)
	r.part.State = v1alpha1.PartRunning
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
				r.eventsAfter(ctx)
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
	return &failure{orders.ExitToolFailed, fmt.Sprintf("the load's log cannot be read: %v", fault)}
}

// take an interval of the log.
func (r *run) take(iv measure.Interval) {
	r.timing.Add(iv)
	r.arms.take(iv)
}

// environment is the pod's share, and where to write.
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

// failure is an error with the exit code it ends meter with.
type failure struct {
	code    int
	message string
}

func (f *failure) Error() string { return f.message }

// terminated is the last word of a pod that was asked to end.
const terminated = "terminated"

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
		code, message = orders.ExitTerminated, terminated
	}
	r.part.State, r.part.Message = v1alpha1.PartFailed, message
	if code == orders.ExitUndelivered {
		return code // what could not be reached for so long will not be reached now
	}
	patience, cancel := lingering(ctx, deliverPatience)
	defer cancel()
	if err := Retry(patience, "report the failure", func(ctx context.Context) error { return r.api.WritePart(ctx, r.part) }); err != nil {
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
