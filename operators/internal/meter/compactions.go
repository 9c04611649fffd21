package meter

import (
	"context"
	"fmt"
	"time"

	"ringside.dev/ringside/operators/internal/measure"
)

// compactionsPoll is the time between two readings of a wait.
const compactionsPoll = time.Second

// Successive readings that end a wait: without pending compactions, because between two of them a store may have none; and without any answer, from a
// store that does not report them. A store that has answered once, if only before the load, may be busy: then only the limit ends the wait.
const (
	calmReadings   = 3
	silentReadings = 5
)

// awaitCompactions waits after the load until the store has no pending compactions, at most for the time that the phase sets. Every load pod waits
// after its own load, so that the last one waits for the compactions that all of them caused. What is left then concerns the next measurement.
func (r *run) awaitCompactions(ctx context.Context) {
	began := time.Now()
	wait := compactionsWait{limit: r.measurement.Spec.AwaitCompactions.Duration, answered: r.part.PendingCompactions != nil || r.part.PendingCompactionsAfter != nil}
	for {
		how := wait.after(r.pendingNow(ctx), time.Since(began))
		if how == "" && sleep(ctx, compactionsPoll) != nil {
			how = fmt.Sprintf("the pod was asked to end %s after the load, and waits no longer for compactions", time.Since(began).Round(time.Second))
		}
		if how != "" {
			logf("%s", how)
			return
		}
	}
}

// pendingNow returns the present number of pending compactions; nil if the store does not report it.
func (r *run) pendingNow(ctx context.Context) *int64 {
	ctx, cancel := context.WithTimeout(ctx, readingPatience)
	defer cancel()
	return reading{sizes: r.ask(ctx, "pending compactions", storePods.Sizes, []string{measure.PendingCompactionsSize})}.pending()
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
