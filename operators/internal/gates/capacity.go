package gates

import "fmt"

// capacity holds a search against what it was to find: a bound that lies beyond what was tried is none.
func capacity(e Evidence) []string {
	asked, found := e.Spec.Capacity, e.Result.Capacity
	switch {
	case asked == nil:
		return nil
	case found == nil:
		return []string{"capacity: the load tells of no search"}
	case found.Below():
		return []string{fmt.Sprintf("capacity: none of %d rates kept %s, the lowest was %d/s", len(found.Steps), asked.Objective(), lowest(e))}
	case found.Above(asked.To):
		return []string{fmt.Sprintf("capacity: %s was kept up to %d/s, the highest rate tried: raise capacity.from, capacity.to or the phase's duration", asked.Objective(), highest(e))}
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

// unseen tells of a queue that could have grown by more than the search's finest stride, at the step next to the capacity, without
// being seen to.
func unseen(e Evidence) []string {
	found := e.Result.Capacity
	if e.Spec.Capacity == nil || found == nil || found.Nearest() == 0 {
		return nil
	}
	step := found.Steps[found.Nearest()-1]
	share, known := step.Resolution()
	if !known || !step.Kept || share*1000 <= float64(max(e.Spec.Capacity.PrecisionPermille, 1)) {
		return nil
	}
	return []string{fmt.Sprintf("capacity: at %d/s the queue could have grown by %s/s, %.0f%% of the rate, without being seen to: use a longer capacity.step", step.Rate, step.QueueGrowthMost, 100*share)}
}

// unsettled tells of a search that ended before its strides were as fine as was asked.
func unsettled(e Evidence) []string {
	found := e.Result.Capacity
	if e.Spec.Capacity == nil || found == nil || found.Settled || found.Below() || found.Above(e.Spec.Capacity.To) {
		return nil
	}
	return []string{fmt.Sprintf("capacity: its time was up before the search had settled, after %d steps", len(found.Steps))}
}
