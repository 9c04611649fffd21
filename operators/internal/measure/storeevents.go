package measure

import "ringside.dev/ringside/operators/api/v1alpha1"

// What a store counts of what its nodes do for one another (docs/reference/store-contract.md).
const (
	HintsKeptEvent      = "hints_kept"
	HintsDeliveredEvent = "hints_delivered"
	HintsFailedEvent    = "hints_failed"
	ReadRepairsEvent    = "read_repairs"
)

// StoreEvents names them.
func StoreEvents() []string {
	return []string{HintsKeptEvent, HintsDeliveredEvent, HintsFailedEvent, ReadRepairsEvent}
}

// EventsBetween two readings of all nodes in the same order, nil of a node that did not tell: by how much each count grew, over the nodes that
// told both times. A count that fell began again in between, and with it the node: what it did is not known. Nothing where no node told.
func EventsBetween(before, after []map[string]int64) *v1alpha1.StoreEvents {
	events := v1alpha1.StoreEvents{Of: int32(len(before)), Counts: map[string]int64{}}
	for node := range before {
		grown, told := grownEvents(before[node], after[node])
		if !told {
			continue
		}
		events.Nodes++
		for name, count := range grown {
			events.Counts[name] += count
		}
	}
	if events.Nodes == 0 {
		return nil
	}
	return &events
}

func grownEvents(before, after map[string]int64) (map[string]int64, bool) {
	grown := map[string]int64{}
	for _, name := range StoreEvents() {
		was, told := before[name]
		is, still := after[name]
		if !told || !still {
			continue
		}
		if is < was {
			return nil, false
		}
		grown[name] = is - was
	}
	return grown, len(grown) > 0
}
