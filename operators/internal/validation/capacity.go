package validation

import (
	"fmt"
	"strconv"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

const (
	// leastSteps suffice to double or halve the rate until two steps enclose the capacity, and to refine it.
	leastSteps = 8
	// leastOfQueue is the number of operations, or batches, that show whether a queue grows. load-kit has the same value.
	leastOfQueue = 200
)

// checkCapacities rejects capacity searches that are impossible or cannot end.
func checkCapacities(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	for _, phase := range spec.Phases {
		if phase.Capacity != nil {
			problems = append(problems, checkCapacity(spec, phase)...)
		}
	}
	return problems
}

// checkQueue rejects searches by the queue of a store that reports none.
func checkQueue(spec *v1beta1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
	var problems []problem.Problem
	for _, phase := range spec.Phases {
		if phase.Capacity != nil && phase.Capacity.By == v1beta1.ByQueue && chart.Queue() == "" {
			problems = append(problems, problem.New("use capacity.by=Latency, or name the counters in the chart (docs/reference/store-contract.md)",
				"phase %s searches for a capacity by the queue, but chart %s does not name the counters of its queue", phase.Name, chart.Name()))
		}
	}
	return problems
}

func checkCapacity(spec *v1beta1.ExperimentSpec, phase v1beta1.PhaseSpec) []problem.Problem {
	var problems []problem.Problem
	if spec.Load.Pods > 1 {
		problems = append(problems, problem.New("--set spec.load.pods=1", "phase %s searches for a capacity, which needs one load pod, but there are %d", phase.Name, spec.Load.Pods))
	}
	if phase.Interleave != nil && phase.Interleave.Mode == v1beta1.InterleaveDuet {
		problems = append(problems, problem.New("use mode Windows", "phase %s searches for a capacity, which is not possible in a duet", phase.Name))
	}
	if phase.Interleave != nil && phase.Interleave.Reconnect {
		problems = append(problems, problem.New("remove spec.phases."+phase.Name+".interleave.reconnect", "phase %s searches for a capacity, which has no pieces to reconnect for", phase.Name))
	}
	if bound := phase.Capacity.Bound.Duration; bound%time.Microsecond != 0 {
		problems = append(problems, problem.New("use whole microseconds", "phase %s bounds its percentile by %s", phase.Name, bound))
	}
	if step := phase.Capacity.Step.Duration; step%time.Millisecond != 0 {
		problems = append(problems, problem.New("use whole milliseconds", "phase %s has steps of %s", phase.Name, step))
	}
	if len(problems) > 0 {
		return problems
	}
	return checkSearchTime(spec, phase)
}

// checkSearchTime rejects a duration with too few steps.
func checkSearchTime(spec *v1beta1.ExperimentSpec, phase v1beta1.PhaseSpec) []problem.Problem {
	percentile, _ := strconv.ParseFloat(phase.Capacity.Percentile, 64) // one of an enum
	operations, from := measure.LeastValues(percentile), phase.Capacity.From
	why, fix := fmt.Sprintf("a percentile of %s takes %d operations", phase.Capacity.Percentile, operations), "a higher capacity.from or a lower percentile"
	if phase.Capacity.By == v1beta1.ByQueue {
		operations, fix = leastOfQueue, "a higher capacity.from or a shorter capacity.step"
		why = fmt.Sprintf("a queue's trend takes %d operations", operations)
	}
	step := max(phase.Capacity.Step.Duration, time.Duration(operations)*time.Second/time.Duration(max(from, 1)))
	searches, of := time.Duration(1), ""
	if phase.Interleave != nil {
		searches = time.Duration(len(spec.Servers))
		of = fmt.Sprintf(" of each of %d servers", len(spec.Servers))
	}
	if least := leastSteps * searches * step; phase.Lasts() < least {
		return []problem.Problem{problem.New(fmt.Sprintf("use %s or more, %s", wholeSeconds(least), fix),
			"phase %s has %s for its search, and %d steps%s at %d/s take %s (%s)", phase.Name, phase.Lasts(), leastSteps, of, from, least, why)}
	}
	return nil
}
