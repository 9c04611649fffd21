package meter

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/clock"
	"ringside.dev/ringside/operators/internal/meter/loadtool"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// To start together, load pods must need no preparation after the start signal. A tool that can wait is therefore started before its pod is
// ready: it connects, creates a file, and begins at the time in another file. For a tool that cannot wait, ready means that its container
// runs.

// File names in the scratch folder: the time of the start, in milliseconds since the epoch, and the tool's confirmation that it is
// connected.
const (
	startName = "start"
	readyName = startName + orders.ReadySuffix
)

// readyPoll is the interval between checks for that confirmation.
const readyPoll = 100 * time.Millisecond

// waits reports whether the tool is started before its pod is ready.
func (r *run) waits() bool { return r.measurement.Spec.Pods > 1 && r.hello.Waits }

// hear receives the first message of the tool's container, its description.
func (r *run) hear(ctx context.Context) error {
	select {
	case report, more := <-r.tool.Received():
		if !more || report.Hello == nil {
			return toolLost()
		}
		r.hello = *report.Hello
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// launch starts the tool and returns when it is connected.
func (r *run) launch(ctx context.Context) error {
	if err := r.tool.Send(loadtool.Order{Start: &loadtool.Start{Environment: r.environment()}}); err != nil {
		return toolLost()
	}
	look := time.NewTicker(readyPoll)
	defer look.Stop()
	for {
		select {
		case report, more := <-r.tool.Received():
			switch {
			case !more:
				return toolLost()
			case report.Ended != nil:
				return endedEarly(*report.Ended)
			}
		case <-look.C:
			file, err := r.shared.open(readyName)
			if err == nil {
				_ = file.Close()
				r.part.Connected = true
				return nil
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return &exitError{orders.ExitToolFailed, fmt.Sprintf("the load tool's connection file cannot be read: %v", err)}
			}
		case <-ctx.Done():
			r.stopTool()
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return &exitError{orders.ExitToolFailed, fmt.Sprintf("the load tool did not connect within %s", startPatience)}
			}
			return ctx.Err()
		}
	}
}

// endedEarly returns the error for a tool that ended before its start.
func endedEarly(end loadtool.Ended) error {
	if end.Terminated {
		return &exitError{orders.ExitTerminated, terminated}
	}
	code := end.Code
	if code == 0 {
		code = orders.ExitToolFailed
	}
	return &exitError{code, strings.TrimSpace(fmt.Sprintf("the load tool %s before its start\n%s", end.How, end.LastLines))}
}

// begin lets the tool drive load from the announced time on.
func (r *run) begin() error {
	order := loadtool.Order{Begin: true}
	if !r.waits() {
		order = loadtool.Order{Start: &loadtool.Start{Environment: r.environment()}}
	}
	if err := r.tool.Send(order); err != nil {
		return toolLost()
	}
	return nil
}

// tellStart announces the start time in advance to a tool that waits, so that it can sleep until then.
func (r *run) tellStart(at time.Time) error {
	if !r.waits() {
		return nil
	}
	if err := r.shared.write(startName, strconv.FormatInt(at.UnixMilli(), 10)+"\n"); err != nil {
		return &exitError{orders.ExitToolFailed, fmt.Sprintf("the start cannot be announced to the load tool: %v", err)}
	}
	return nil
}

// watchClock estimates the offset of this pod's clock to the clock that all load pods and those who cause faults read, while the load runs.
func (r *run) watchClock(ctx context.Context) (estimates <-chan clock.Estimate) {
	if r.measurement.Spec.Pods < 2 && len(r.measurement.Spec.Faults) == 0 {
		return nil
	}
	told := make(chan clock.Estimate)
	go r.api.AskClock(ctx, func(e clock.Estimate) {
		select {
		case told <- e:
		case <-ctx.Done():
		}
	})
	return told
}

// noteClock replaces the earlier estimate. Contradicting readings show that a clock was set.
func noteClock(part *v1beta1.Part, e clock.Estimate) {
	part.ClockOffsetMicros, part.ClockErrorMicros = e.Micros()
}
