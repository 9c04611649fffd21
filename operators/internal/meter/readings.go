package meter

import (
	"context"
	"maps"
	"slices"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/counters"
)

// The store's byte counters are read right before the load begins and right after it ends, with two datagrams to each pod, while this load
// sends nothing. The load is delivered in any case.

// readingPatience limits the reading of all the store's pods together, because it delays the start.
const readingPatience = time.Second

// readBefore reads the counters before the load begins.
func (r *run) readBefore(ctx context.Context) {
	r.before = r.counted(ctx)
}

// readAfter reads the counters after the load has ended. Without both readings, none is reported.
func (r *run) readAfter(ctx context.Context) {
	if r.before == nil {
		return
	}
	if after := r.counted(ctx); after != nil {
		r.part.StoreReadings = &v1beta1.StoreReadings{Before: r.before, After: after, Sizes: asked(ctx, r.config.Counters, "sizes", counters.Pods.Sizes, measure.SizeNames())}
	}
}

// counted returns the current byte counters; nil if the store does not report them.
func (r *run) counted(ctx context.Context) map[string]int64 {
	return asked(ctx, r.config.Counters, "counters", counters.Pods.Counted, measure.IOCounters())
}

// asked reads values of all pods of the store at the addresses, and keeps those with one of the names; nil if there are none.
func asked(ctx context.Context, addresses []string, what string, ask func(counters.Pods, context.Context) (map[string]int64, error), names []string) map[string]int64 {
	if len(addresses) == 0 {
		return nil
	}
	patience, cancel := context.WithTimeout(ctx, readingPatience)
	defer cancel()
	pods, err := counters.Dial(addresses)
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
