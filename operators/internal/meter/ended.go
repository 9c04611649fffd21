package meter

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/link"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// ended reads the rest of the log and settles the counts of every arm.
func (r *run) ended(end link.Ended, follower *measure.Follower) error {
	if usage := end.Usage; usage != nil {
		r.part.CPUUsedPermille, r.part.ThrottledMillis = permille(&usage.UsedRatio), usage.Throttled.Milliseconds()
		r.part.CPUWaitedPermille = permille(usage.WaitedRatio)
		r.arms.setCPU(usage)
	}
	readErr := errors.Join(follower.Finish(r.arms.take), r.arms.strange)
	if end.Terminated {
		return &failure{orders.ExitTerminated, terminated}
	}
	if end.Code != 0 {
		// The end of the log of a tool that failed is of no interest.
		r.progress()
		return &failure{end.Code, strings.TrimSpace(fmt.Sprintf("the load tool %s\n%s", end.How, end.LastLines))}
	}
	if readErr != nil {
		return &failure{orders.ExitToolFailed, fmt.Sprintf("the load's log cannot be read: %v", readErr)}
	}
	r.progress()
	told, err := readSummary(r.shared, r.arms.tags())
	for _, a := range r.arms.all {
		log, logErr := a.recorder.Log()
		if logErr != nil {
			return &failure{orders.ExitToolFailed, fmt.Sprintf("the load's log cannot be read: %v", logErr)}
		}
		if len(log.Intervals) == 0 {
			return &failure{orders.ExitToolFailed, strings.TrimSpace(fmt.Sprintf("the load tool ended well but left no operation%s in %s\n%s", a.of(), filepath.Join(r.config.Scratch, hlogName), end.LastLines))}
		}
		counts := reconcile(log.OperationCount(), told[a.tag], r.share)
		if err != nil {
			counts.Doubt = err.Error()
		}
		a.settle(r.part, counts, log)
	}
	return nil
}

// deliver stores the logs, then says that the part is done: a part that is done has its log. In an interleaved phase the lead's is the
// last: when it is done, all are.
func (r *run) deliver(ctx context.Context) error {
	patience, cancel := lingering(ctx, deliverPatience)
	defer cancel()
	for _, a := range r.arms.leadLast(r.measurement.Name) {
		if err := r.deliverArm(patience, a); err != nil {
			return err
		}
	}
	r.part = r.arms.lead(r.measurement.Name).part
	return nil
}

func (r *run) deliverArm(ctx context.Context, a *arm) error {
	log, err := a.recorder.Log()
	if err != nil {
		return err
	}
	chunks, err := measure.PackLog(log)
	if err != nil {
		return err
	}
	names, err := r.store(ctx, a, "store the log"+a.of(), 0, chunks)
	if err != nil {
		return err
	}
	a.part.Logs = append(a.part.Logs, names...)
	if err := r.deliverProfile(ctx, a, len(chunks)); err != nil {
		return err
	}
	a.part.State = v1alpha1.PartDone
	if err := Retry(ctx, "deliver the result"+a.of(), func(ctx context.Context) error { return a.api.WritePart(ctx, a.part) }); err != nil {
		return undelivered(err)
	}
	return nil
}

// store chunks of the arm's, numbered from first on.
func (r *run) store(ctx context.Context, a *arm, what string, first int, chunks [][]byte) ([]string, error) {
	var names []string
	for i, chunk := range chunks {
		err := Retry(ctx, what, func(ctx context.Context) error {
			name, err := r.api.StoreLog(ctx, r.measurement, a.measurement, first+i, chunk)
			if err == nil {
				names = append(names, name)
			}
			return err
		})
		if err != nil {
			return nil, undelivered(err)
		}
	}
	return names, nil
}

// permille of a ratio, where there is one.
func permille(ratio *float64) *int64 {
	if ratio == nil {
		return nil
	}
	return new(int64(1000**ratio + 0.5))
}

func microTime(t time.Time) *metav1.MicroTime {
	m := metav1.NewMicroTime(t)
	return &m
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

// settle the arm's counts, in a part of its own of what the pod did.
func (a *arm) settle(pod v1alpha1.Part, counts Counts, log *measure.Log) {
	a.part = pod
	a.part.Logs = slices.Clone(pod.Logs)
	a.part.Operations, a.part.Errors, a.part.Keys, a.part.Message = counts.Operations, counts.Errors, counts.Keys, counts.Doubt
	a.part.Unanswered, a.part.Outcomes, a.part.Capacity = counts.Unanswered, counts.Outcomes, counts.Capacity
	a.part.Recovery, a.part.ErrorsByKind = counts.Recovery, counts.ErrorsByKind
	a.part.FirstIntervalAt, a.part.LastIntervalAt = microTime(log.Start), microTime(log.End)
	a.collector.SetErrors(counts.ErrorsByKind)
}
