package meter

import (
	"context"
	"fmt"
	"time"

	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/counters"
)

// One pod of the load reads the pending compactions of the store: right before the load, for the gate, and after it if the phase awaits their end.
// Only load pods can reach the counters ports.

// compactionsPoll is the time between two readings of a wait.
const compactionsPoll = time.Second

// Successive readings that end a wait: without pending compactions, because between two of them a store may have none; and without any answer, from a
// store that does not report them. A store that has answered once may be busy: then only the limit ends the wait.
const (
	calmReadings   = 3
	silentReadings = 5
)

// pendingCompactions returns the pending compactions of all pods of the store; nil if the store does not report them, or another load pod reads them.
func (r *run) pendingCompactions(ctx context.Context) *int64 {
	if r.config.Index != 0 {
		return nil
	}
	sizes := asked(ctx, r.config.Compactions, "pending compactions", counters.Pods.Sizes, []string{measure.PendingCompactionsSize})
	if pending, told := sizes[measure.PendingCompactionsSize]; told {
		return new(pending)
	}
	return nil
}

// awaitCompactions waits after the load until the store has no pending compactions, if the phase asks for it, at most for the time that it sets. What
// is left then concerns the next measurement, which reads it before its load.
func (r *run) awaitCompactions(ctx context.Context) error {
	limit := r.measurement.Spec.AwaitCompactions
	if limit == nil || r.config.Index != 0 {
		return nil
	}
	began, wait := time.Now(), compactionsWait{limit: limit.Duration}
	for {
		if how := wait.after(r.pendingCompactions(ctx), time.Since(began)); how != "" {
			logf("%s", how)
			return nil
		}
		if err := sleep(ctx, compactionsPoll); err != nil {
			return err
		}
	}
}

// compactionsWait decides when the wait for the end of compactions ends.
type compactionsWait struct {
	limit        time.Duration
	calm, silent int
	answered     bool
}

// after returns how the wait ends with a reading, nil for an unknown one; empty if it continues.
func (w *compactionsWait) after(pending *int64, waited time.Duration) string {
	switch {
	case pending == nil:
		w.calm, w.silent = 0, w.silent+1
	case *pending == 0:
		w.calm, w.silent = w.calm+1, 0
	default:
		w.calm, w.silent = 0, 0
	}
	w.answered = w.answered || pending != nil
	waited = waited.Round(time.Second)
	switch {
	case w.calm == calmReadings:
		return fmt.Sprintf("the store had no pending compactions %s after the load", waited)
	case w.silent == silentReadings && !w.answered:
		return fmt.Sprintf("the wait for compactions ended %s after the load: the store does not report them", waited)
	case waited >= w.limit && pending != nil:
		return fmt.Sprintf("the store still had %d pending compactions %s after the load", *pending, waited)
	case waited >= w.limit:
		return fmt.Sprintf("the pending compactions are not known %s after the load", waited)
	}
	return ""
}
