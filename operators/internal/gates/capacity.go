package gates

import "ringside.dev/ringside/operators/api/v1beta1"

// capacity checks the result of a capacity search: a capacity outside the rates that were tried is not known.
func capacity(e Evidence) Findings {
	asked, found := e.Spec.Capacity, e.Result.Capacity
	switch {
	case asked == nil:
		return nil
	case found == nil:
		return Findings{finding(v1beta1.GateCapacityUnknown, "capacity: the load reported no search")}
	case found.Below():
		return Findings{finding(v1beta1.GateCapacityBelowRange, "capacity: none of %d rates met %s, the lowest was %d/s", len(found.Steps), asked.Objective(), lowest(e))}
	case found.Above(asked.To):
		return Findings{finding(v1beta1.GateCapacityAboveRange, "capacity: %s was met up to %d/s, the highest rate tried: raise capacity.from, capacity.to or the phase's duration", asked.Objective(), highest(e))}
	}
	return nil
}

func lowest(e Evidence) int64 {
	rate := e.Result.Capacity.Steps[0].Rate
	for _, step := range e.Result.Capacity.Steps {
		rate = min(rate, step.Rate)
	}
	return rate
}

func highest(e Evidence) int64 {
	rate := int64(0)
	for _, step := range e.Result.Capacity.Steps {
		rate = max(rate, step.Rate)
	}
	return rate
}

// unseen warns of a queue that may have grown undetected by more than the search's precision, at the step nearest to the capacity.
func unseen(e Evidence) Findings {
	found := e.Result.Capacity
	if e.Spec.Capacity == nil || found == nil || found.Nearest() == 0 {
		return nil
	}
	step := found.Steps[found.Nearest()-1]
	share, known := step.Resolution()
	if !known || !step.Kept || share*1000 <= float64(max(e.Spec.Capacity.Precision.Permille(), 1)) {
		return nil
	}
	return Findings{finding(v1beta1.GateQueueGrowthUndetected, "capacity: at %d/s the queue may have grown undetected by %s/s, %.0f%% of the rate: use a longer capacity.step", step.Rate, step.QueueGrowthMost, 100*share)}
}

// unsettled warns of a search that ended before it reached its precision.
func unsettled(e Evidence) Findings {
	found := e.Result.Capacity
	if e.Spec.Capacity == nil || found == nil || found.Settled || found.Below() || found.Above(e.Spec.Capacity.To) {
		return nil
	}
	return Findings{finding(v1beta1.GateCapacityUnsettled, "capacity: the search ran out of time before it settled, after %d steps", len(found.Steps))}
}
