package validation

import (
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

// checkSweeps rejects a value that is measured twice under one name.
func checkSweeps(phase v1beta1.PhaseSpec) []problem.Problem {
	problems := checkTwice(phase.Name, "threads", "sweepThreads", phase.SweepThreads)
	problems = append(problems, checkTwice(phase.Name, "connections", "sweepConnections", phase.SweepConnections)...)
	problems = append(problems, checkTwice(phase.Name, "operations/s", "sweepRates", phase.SweepRates)...)
	if len(phase.SweepRates) > 0 && phase.TargetRate > 0 {
		problems = append(problems, problem.New("remove one of the two", "phase %s has targetOpsPerSecond and sweepRates", phase.Name))
	}
	if len(phase.SweepConnections) > 0 && phase.Connections > 0 {
		problems = append(problems, problem.New("remove one of the two", "phase %s has connections and sweepConnections", phase.Name))
	}
	return problems
}

func checkTwice[T int32 | int64](phase, what, field string, values []T) []problem.Problem {
	var problems []problem.Problem
	for i, value := range values {
		if slices.Contains(values[:i], value) {
			problems = append(problems, problem.New("use each value once", "phase %s has %d %s twice in %s", phase, value, what, field))
		}
	}
	return problems
}

func threadCounts(phase v1beta1.PhaseSpec) []int32 {
	return countsOf(phase, func(p v1beta1.Point) int32 { return p.Threads })
}

// connectionCounts returns the numbers of connections that a server has: by default, one per thread.
func connectionCounts(phase v1beta1.PhaseSpec) []int32 {
	return countsOf(phase, func(p v1beta1.Point) int32 { return max(p.Connections, p.Threads) })
}

func ratesOf(phase v1beta1.PhaseSpec) []int64 {
	return countsOf(phase, func(p v1beta1.Point) int64 { return p.TargetRate })
}

func countsOf[T int32 | int64](phase v1beta1.PhaseSpec, of func(v1beta1.Point) T) []T {
	var counts []T
	for _, point := range phase.Points() {
		if count := of(point); !slices.Contains(counts, count) {
			counts = append(counts, count)
		}
	}
	return counts
}
