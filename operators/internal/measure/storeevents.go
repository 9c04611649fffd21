package measure

import "ringside.dev/ringside/operators/api/v1beta1"

// Counters of what a store's nodes do for each other (docs/reference/store-contract.md).
const (
	HintsKeptEvent      = "hints_kept"
	HintsDeliveredEvent = "hints_delivered"
	HintsFailedEvent    = "hints_failed"
	ReadRepairsEvent    = "read_repairs"
)

// StoreEvents returns the names of these counters.
func StoreEvents() []string {
	return []string{HintsKeptEvent, HintsDeliveredEvent, HintsFailedEvent, ReadRepairsEvent}
}

// EventsBetween returns the growth of each count between two readings of all nodes, in the same order and nil for a node that did not
// answer, summed over the nodes that answered both times. A lower count shows that the node restarted, so its events are unknown. Nil if no
// node is known.
func EventsBetween(before, after []map[string]int64) *v1beta1.StoreEvents {
	events := v1beta1.StoreEvents{Of: int32(len(before)), Counts: map[string]int64{}}
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
