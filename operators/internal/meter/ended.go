package meter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/loadtool"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// ended reads the rest of the log and settles the counts of every arm.
func (r *run) ended(end loadtool.Ended, at time.Time, follower *measure.Follower) error {
	if usage := end.Usage; usage != nil {
		r.part.CPUUsedPermille, r.part.ThrottledMillis = permille(&usage.UsedRatio), usage.Throttled.Milliseconds()
		r.part.CPUWaitedPermille = permille(usage.WaitedRatio)
		r.arms.setCPU(usage)
	}
	readErr := errors.Join(follower.Finish(r.take), r.arms.strange)
	if end.Terminated {
		return &exitError{orders.ExitTerminated, terminated}
	}
	if end.Code != 0 {
		// The rest of a failed tool's log is not needed.
		r.progress()
		return &exitError{end.Code, strings.TrimSpace(fmt.Sprintf("the load tool %s\n%s", end.How, end.LastLines))}
	}
	if readErr != nil {
		return &exitError{orders.ExitToolFailed, fmt.Sprintf("the load's log cannot be read: %v", readErr)}
	}
	r.progress()
	told, err := readSummary(r.shared, r.arms.tags())
	for _, a := range r.arms.all {
		log, logErr := a.recorder.Log()
		if logErr != nil {
			return &exitError{orders.ExitToolFailed, fmt.Sprintf("the load's log cannot be read: %v", logErr)}
		}
		if len(log.Intervals) == 0 || log.OperationCount() == 0 && !r.measurement.Spec.Idle {
			return &exitError{orders.ExitToolFailed, strings.TrimSpace(fmt.Sprintf("the load tool ended well, but the log %s has %s%s\n%s",
				filepath.Join(r.config.Scratch, hlogName), noneOf(told[a.tag], r.share), a.of(), end.LastLines))}
		}
		counts := reconcile(log.OperationCount(), told[a.tag], r.share)
		if err != nil {
			counts.Doubt = err.Error()
		}
		wrong, unitErr := measure.WrongUnit(log, r.busyThreads(counts))
		if unitErr != nil {
			return &exitError{orders.ExitToolFailed, fmt.Sprintf("the load's log cannot be read: %v", unitErr)}
		}
		counts.doubt(r.timing.Against(r.began, at))
		counts.doubt(wrong)
		a.settle(r.part, counts, log)
		if counts.Errors > 0 {
			a.part.LastError = cut(end.LastError, longestError)
		}
	}
	return nil
}

// longestError is the limit of a load's last error in bytes.
const longestError = 512

// noneOf describes a log without operations, with the number that the tool counted or was ordered.
func noneOf(told summary, share orders.Share) string {
	text := "0 operations"
	if expected := cmp.Or(told.operations, share.Operations); expected > 0 {
		text = fmt.Sprintf("0 of %d operations", expected)
	}
	if told.errors > 0 {
		text += fmt.Sprintf(" (the load tool counted %d that failed)", told.errors)
	}
	return text
}

// busyThreads returns the threads of a closed loop without failed operations, which only wait for answers; 0 for any other load.
func (r *run) busyThreads(counts Counts) int64 {
	spec := r.measurement.Spec
	if spec.TargetRate > 0 || spec.Idle || spec.Capacity != nil || spec.Recovery != nil || len(spec.Faults) > 0 || counts.Errors+counts.Unanswered > 0 {
		return 0
	}
	return r.share.Threads
}

// deliver stores the logs of all arms, and reports the result. A load whose phase awaits compactions is delivered before the wait: a pod that is lost
// in it loses nothing but its last reading of the store, and one that is asked to end delivers at once.
func (r *run) deliver(ctx context.Context) error {
	if err := r.storeLogs(ctx); err != nil {
		return err
	}
	if r.measurement.Spec.AwaitCompactions != nil && len(r.config.Counters) > 0 {
		if err := r.report(ctx, v1beta1.PartSettling); err != nil {
			return err
		}
		r.awaitCompactions(ctx)
		r.readAfter(context.WithoutCancel(ctx))
	}
	return r.report(ctx, v1beta1.PartDone)
}

func (r *run) storeLogs(ctx context.Context) error {
	patience, cancel := lingering(ctx, deliverPatience)
	defer cancel()
	for _, a := range r.arms.all {
		if err := r.storeArm(patience, a); err != nil {
			return err
		}
	}
	return nil
}

// report writes the parts of all arms in one write, those of the companions of an interleaved phase with the pod's own.
func (r *run) report(ctx context.Context, state v1beta1.PartPhase) error {
	patience, cancel := lingering(ctx, deliverPatience)
	defer cancel()
	lead := r.arms.lead(r.measurement.Name)
	var companions []v1beta1.CompanionPart
	for _, a := range r.arms.all {
		a.part.State, a.part.Scraped = state, r.server.wasScraped()
		a.part.StoreReadings, a.part.PendingCompactionsAfter = r.part.StoreReadings, r.part.PendingCompactionsAfter
		if a != lead {
			companions = append(companions, v1beta1.CompanionPart{Measurement: a.measurement.Name, Part: a.part})
		}
	}
	err := Retry(patience, "deliver the result", func(ctx context.Context) error { return r.api.WritePart(ctx, lead.part, companions...) })
	if err != nil {
		return undelivered(err)
	}
	r.part = lead.part
	return nil
}

// storeArm stores the arm's log, and its profile if one was ordered, and completes the arm's part.
func (r *run) storeArm(ctx context.Context, a *arm) error {
	log, err := a.recorder.Log()
	if err != nil {
		return err
	}
	chunks, err := measure.PackLog(log, measure.ChunksOf(r.measurement.Spec.Pods, len(r.arms.all)))
	if err != nil {
		return &exitError{orders.ExitToolFailed, fmt.Sprintf("the load's log%s cannot be stored: %v", a.of(), err)}
	}
	names, err := r.store(ctx, a, "store the log"+a.of(), 0, chunks)
	if err != nil {
		return err
	}
	a.part.Logs = append(a.part.Logs, names...)
	if err := r.deliverProfile(ctx, a, len(chunks)); err != nil {
		return err
	}
	a.part.Index, a.part.Attempt = r.config.Index, r.config.Attempt
	return nil
}

// store stores chunks of the arm, numbered from first.
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

// permille converts a ratio; nil stays nil.
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
	return &exitError{orders.ExitUndelivered, err.Error()}
}

// lingering returns a context that outlives the request to terminate within the pod's grace period, so that the result of an ended load is
// still delivered.
func lingering(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(farewellPatience, cancel) })
	return longer, func() { stop(); cancel() }
}

// settle copies the pod's part for the arm and sets the arm's counts.
func (a *arm) settle(pod v1beta1.Part, counts Counts, log *measure.Log) {
	a.part = pod
	a.part.Logs = slices.Clone(pod.Logs)
	a.part.Operations, a.part.Errors, a.part.Keys, a.part.Message = counts.Operations, counts.Errors, counts.Keys, counts.Doubt
	a.part.Unanswered, a.part.Outcomes, a.part.Capacity = counts.Unanswered, counts.Outcomes, counts.Capacity
	a.part.NotBegun = counts.NotBegun
	a.part.Recovery, a.part.ErrorsByKind = counts.Recovery, counts.ErrorsByKind
	a.part.FirstIntervalAt, a.part.LastIntervalAt = microTime(log.Start), microTime(log.End)
	a.collector.SetErrors(counts.ErrorsByKind)
}
