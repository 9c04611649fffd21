package meter

import (
	"context"
	"maps"
	"slices"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/counters"
)

// What the store counted of bytes is asked right before the load begins and right after it has ended: two datagrams to each pod, while
// nothing is asked of it by this load. Whatever becomes of that, the load is delivered.

// readingPatience with all of the store's pods together, which a start must not wait for any longer.
const readingPatience = time.Second

// readBefore the load begins.
func (r *run) readBefore(ctx context.Context) {
	r.before = r.counted(ctx)
}

// readAfter the load has ended. Without a reading on both sides there is none.
func (r *run) readAfter(ctx context.Context) {
	if r.before == nil {
		return
	}
	if after := r.counted(ctx); after != nil {
		r.part.StoreReadings = &v1alpha1.StoreReadings{Before: r.before, After: after, Sizes: r.asked(ctx, "sizes", counters.Pods.Sizes, measure.SizeNames())}
	}
}

// counted of bytes by now; nil where the store does not tell.
func (r *run) counted(ctx context.Context) map[string]int64 {
	return r.asked(ctx, "counters", counters.Pods.Counted, measure.IOCounters())
}

// asked of all pods of the store, and kept of it what has one of the names; nil where that is nothing.
func (r *run) asked(ctx context.Context, what string, ask func(counters.Pods, context.Context) (map[string]int64, error), names []string) map[string]int64 {
	if len(r.config.Counters) == 0 {
		return nil
	}
	patience, cancel := context.WithTimeout(ctx, readingPatience)
	defer cancel()
	pods, err := counters.Dial(r.config.Counters)
	var told map[string]int64
	if err == nil {
		defer pods.Close()
		told, err = ask(pods, patience)
	}
	if err != nil {
		logf("the store's %s are not known: %v", what, err)
		return nil
	}
	maps.DeleteFunc(told, func(name string, _ int64) bool { return !slices.Contains(names, name) })
	if len(told) == 0 {
		return nil
	}
	return told
}
