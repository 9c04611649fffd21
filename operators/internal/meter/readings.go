package meter

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// The store's pods are read right before the load begins and after it has ended: what they counted, what they hold, and what its nodes did for one
// another. Only load pods can reach the counters ports. The load is delivered in any case.

// readingPatience limits a reading of all the store's pods together, because it delays the start.
const readingPatience = time.Second

// reading is what the store's pods reported at one time; nil for what they do not report, or what is not read in the phase.
type reading struct {
	// counters are the byte counters, sizes what the store holds and has yet to compact; both are sums over all pods.
	counters, sizes map[string]int64
	// events of each of the store's nodes. A node that is gone, or has another address, has none.
	events []map[string]int64
}

// read asks all questions at once, so that the silence of a pod does not add up.
func (r *run) read(ctx context.Context) reading {
	if len(r.config.Counters) == 0 {
		return reading{}
	}
	ctx, cancel := context.WithTimeout(ctx, readingPatience)
	defer cancel()
	var out reading
	var asked sync.WaitGroup
	if orders.ReadsIO(r.measurement.Spec) {
		asked.Go(func() {
			out.counters = r.ask(ctx, "counters", storePods.Counted, measure.IOCounters())
		})
	}
	asked.Go(func() {
		out.sizes = r.ask(ctx, "sizes", storePods.Sizes, append(measure.SizeNames(), measure.PendingCompactionsSize))
	})
	if len(r.measurement.Spec.Faults) > 0 && r.config.Index == 0 {
		asked.Go(func() { out.events = r.events(ctx) })
	}
	asked.Wait()
	return out
}

// readBefore reads the store before the load begins. With several load pods, a reading that is late is given up: they begin together.
func (r *run) readBefore(ctx context.Context) {
	if r.measurement.Spec.Pods > 1 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, r.measurement.Status.StartAt.Time)
		defer cancel()
	}
	r.before = r.read(ctx)
	r.part.PendingCompactions = r.before.pending()
}

// readAfter reads the store after the load, or after the wait for the end of its compactions. A byte count that is not known then stays that of an
// earlier reading; the pending compactions do not.
func (r *run) readAfter(ctx context.Context) {
	after := r.read(ctx)
	r.part.PendingCompactionsAfter = after.pending()
	if r.before.counters != nil && after.counters != nil {
		r.part.StoreReadings = &v1beta1.StoreReadings{Before: r.before.counters, After: after.counters, Sizes: only(after.sizes, measure.SizeNames())}
	}
	if r.before.events != nil && r.part.StoreEvents == nil {
		r.part.StoreEvents = measure.EventsBetween(r.before.events, after.events)
	}
}

// pending returns the pending compactions of all pods of the store; nil if it did not report them.
func (r reading) pending() *int64 {
	if pending, told := r.sizes[measure.PendingCompactionsSize]; told {
		return new(pending)
	}
	return nil
}

// ask reads values of all pods of the store, and keeps those with one of the names; nil if there are none.
func (r *run) ask(ctx context.Context, what string, question func(storePods, context.Context) (map[string]int64, error), names []string) map[string]int64 {
	pods, err := dialPods(r.config.Counters)
	var told map[string]int64
	if err == nil {
		defer pods.Close()
		told, err = question(pods, ctx)
	}
	if err != nil {
		logf("the store's %s are not known: %v", what, err)
		return nil
	}
	return only(told, names)
}

// events returns the events of each node.
func (r *run) events(ctx context.Context) []map[string]int64 {
	pods, err := dialPods(r.config.Counters)
	if err != nil {
		logf("what the store's nodes did for one another is not known: %v", err)
		return make([]map[string]int64, len(r.config.Counters))
	}
	defer pods.Close()
	return pods.Events(ctx)
}

// only returns the values with one of the names; nil if there are none.
func only(values map[string]int64, names []string) map[string]int64 {
	kept := maps.Clone(values)
	maps.DeleteFunc(kept, func(name string, _ int64) bool { return !slices.Contains(names, name) })
	if len(kept) == 0 {
		return nil
	}
	return kept
}
