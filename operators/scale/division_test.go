package scale

import (
	"slices"
	"time"
)

// division is where the time of a measurement goes: from its creation over each stage to the creation of the next one.
type division struct {
	// Job is created, then all load pods are Ready, the start is Announced, all pods have Delivered, the result is Collected, and the Next
	// measurement is created. Each time begins where the one before it ends.
	Job, Ready, Announced, Delivered, Collected, Next time.Duration
	// Deletion is how long the requests take that delete the reports.
	Deletion time.Duration
}

// divide returns the medians over all measurements whose stages are in the events, all of one run.
func divide(events []auditEvent) division {
	var all []division
	slices.SortStableFunc(events, func(a, b auditEvent) int { return a.StageTimestamp.Compare(b.StageTimestamp) })
	begins := -1
	for i := range events {
		if events[i].what() != "create measurements" {
			continue
		}
		if begins >= 0 {
			if d, whole := divisionOf(events[begins:i], events[i].StageTimestamp); whole {
				all = append(all, d)
			}
		}
		begins = i
	}
	median := func(of func(division) time.Duration) time.Duration {
		var each []time.Duration
		for _, d := range all {
			each = append(each, of(d))
		}
		return medianOf(each)
	}
	var deletions []time.Duration
	for _, event := range events {
		if event.what() == "deletecollection measurementparts" {
			deletions = append(deletions, event.StageTimestamp.Sub(event.RequestReceivedTimestamp))
		}
	}
	return division{
		Job:       median(func(d division) time.Duration { return d.Job }),
		Ready:     median(func(d division) time.Duration { return d.Ready }),
		Announced: median(func(d division) time.Duration { return d.Announced }),
		Delivered: median(func(d division) time.Duration { return d.Delivered }),
		Collected: median(func(d division) time.Duration { return d.Collected }),
		Next:      median(func(d division) time.Duration { return d.Next }),
		Deletion:  medianOf(deletions),
	}
}

// divisionOf divides the time from the creation of a measurement, the first of the events, to that of the next one. It reports whether the events
// have all stages.
func divisionOf(events []auditEvent, next time.Time) (division, bool) {
	var job, ready, announced, delivered, collected time.Time
	reports := map[string]int{} // of each load pod: first that it is ready, last its result
	for _, event := range events {
		at := event.StageTimestamp
		switch event.what() {
		case "create jobs":
			job = at
		case "patch measurementparts":
			if reports[event.ObjectRef.Name]++; reports[event.ObjectRef.Name] == 1 {
				ready = at
			}
			delivered = at
		case "patch measurements/status":
			announced, collected = collected, at // the last two
		}
	}
	stages := []time.Time{events[0].StageTimestamp, job, ready, announced, delivered, collected, next}
	if !slices.IsSortedFunc(stages, time.Time.Compare) || job.IsZero() {
		return division{}, false
	}
	took := func(stage int) time.Duration { return stages[stage].Sub(stages[stage-1]) }
	return division{Job: took(1), Ready: took(2), Announced: took(3), Delivered: took(4), Collected: took(5), Next: took(6)}, true
}

// medianOf returns the median; 0 of nothing.
func medianOf(each []time.Duration) time.Duration {
	if len(each) == 0 {
		return 0
	}
	slices.Sort(each)
	return each[len(each)/2]
}
