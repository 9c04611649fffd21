package results

import (
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
)

// StoreEvents are what nodes of the store did for one another under faults, until the load ended; nothing where they do not tell.
type StoreEvents struct {
	// HintsKept are writes kept for a node that was away, HintsDelivered those it was sent when it was back, HintsFailed those that could not be.
	HintsKept, HintsDelivered, HintsFailed Optional[int64]
	// ReadRepairs are rows that a read found to differ from copy to copy, and put right.
	ReadRepairs Optional[int64]
}

func (e *StoreEvents) fill(events *v1alpha1.StoreEvents) {
	if events == nil {
		return
	}
	for name, into := range map[string]*Optional[int64]{
		measure.HintsKeptEvent: &e.HintsKept, measure.HintsDeliveredEvent: &e.HintsDelivered,
		measure.HintsFailedEvent: &e.HintsFailed, measure.ReadRepairsEvent: &e.ReadRepairs,
	} {
		if count, told := events.Counts[name]; told {
			*into = Some(count)
		}
	}
}
