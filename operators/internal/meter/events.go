package meter

import (
	"context"

	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/counters"
)

// One pod of the load reads the events of the store's nodes right before the load begins and right after it ends. A node that is gone by
// then, or has another address, does not answer and is left out.

// eventsBefore reads the events before the load begins.
func (r *run) eventsBefore(ctx context.Context) {
	r.eventsThen = r.events(ctx)
}

// eventsAfter reads the events after the load has ended.
func (r *run) eventsAfter(ctx context.Context) {
	if r.eventsThen != nil {
		r.part.StoreEvents = measure.EventsBetween(r.eventsThen, r.events(ctx))
	}
}

// events returns the current events of each node; nil if this pod does not read them.
func (r *run) events(ctx context.Context) []map[string]int64 {
	if len(r.config.Events) == 0 || r.config.Index != 0 {
		return nil
	}
	patience, cancel := context.WithTimeout(ctx, readingPatience)
	defer cancel()
	pods, err := counters.Dial(r.config.Events)
	if err != nil {
		logf("what the store's nodes did for one another is not known: %v", err)
		return make([]map[string]int64, len(r.config.Events))
	}
	defer pods.Close()
	return pods.Events(patience)
}
