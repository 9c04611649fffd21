package results

import (
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// StoreEvents counts what nodes of the store did for each other under faults, until the load ended; empty if the store does not report it.
type StoreEvents struct {
	// HintsKept counts writes that were kept for a node that was away, HintsDelivered those delivered after its return, HintsFailed those
	// that could not be delivered.
	HintsKept, HintsDelivered, HintsFailed Optional[int64]
	// ReadRepairs counts rows that a read repaired because their copies differed.
	ReadRepairs Optional[int64]
}

func (e *StoreEvents) fill(events *v1beta1.StoreEvents) {
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
