// Package inflict applies a fault to its own pod and undoes it. The kernel itself undoes every fault when the process ends in any way,
// except a task of maintenance, which the store stops when the connection is closed.
package inflict

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/utils/clock"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults/helper"
)

// Hit applies a fault until the context ends, and calls begun when the fault is in effect. A fault that ends itself returns earlier, and it
// is an error if it does not.
type Hit func(ctx context.Context, begun func()) error

// Of returns the Hit for an order.
func Of(o helper.Order) Hit {
	return map[v1beta1.FaultKind]Hit{
		v1beta1.FaultPause:    func(ctx context.Context, begun func()) error { return Pause(ctx, Others, begun) },
		v1beta1.FaultCut:      func(ctx context.Context, begun func()) error { return Cut(ctx, Loopback, begun) },
		v1beta1.FaultLose:     func(ctx context.Context, begun func()) error { return Lose(ctx, Loopback, o.Percent, begun) },
		v1beta1.FaultSlow:     func(ctx context.Context, begun func()) error { return Slow(ctx, Loopback, o.Delay, begun) },
		v1beta1.FaultBusy:     func(ctx context.Context, begun func()) error { return Busy(ctx, helper.Volume, begun) },
		v1beta1.FaultFill:     func(ctx context.Context, begun func()) error { return Fill(ctx, helper.Volume, uint64(o.Leave), begun) },
		v1beta1.FaultMaintain: func(ctx context.Context, begun func()) error { return Maintain(ctx, o.Task, o.Port, begun) },
	}[o.Kind]
}

// Run waits for the order's moment, applies the fault for its time, and reports. If the moment is too long ago, it does nothing.
func Run(ctx context.Context, now clock.Clock, order helper.Order, hit Hit) helper.Report {
	if late := now.Since(order.At); late > helper.Late {
		return helper.Report{Error: fmt.Sprintf("its helper came %s late", late.Round(time.Millisecond))}
	}
	if ahead := order.At.Sub(now.Now()); ahead > 0 {
		select {
		case <-now.After(ahead):
		case <-ctx.Done():
			return helper.Report{Error: "its helper was ended before its moment"}
		}
	}
	var report helper.Report
	hitting, end := context.WithCancelCause(ctx)
	defer end(nil)
	err := hit(hitting, func() {
		report.BeganAt = now.Now()
		over := now.After(order.For)
		go func() {
			select {
			case <-over:
				end(errInTime)
			case <-hitting.Done():
			}
		}()
	})
	if !report.BeganAt.IsZero() {
		report.UndoneAt = now.Now()
	}
	switch {
	case err != nil:
		report.Error = err.Error()
	case order.Kind.EndsItself():
	case !errors.Is(context.Cause(hitting), errInTime):
		report.Error = "its helper was ended before its time"
	}
	return report
}

var errInTime = errors.New("the fault has lasted for its time")
