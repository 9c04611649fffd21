package validation

import (
	"fmt"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

// Minimum times before and after a fault: to measure the rate before it, and to see a node recover.
const (
	faultLead   = 5 * time.Second
	faultMargin = 10 * time.Second
)

// checkFaults rejects faults whose cost could not be measured.
func checkFaults(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	for _, phase := range spec.Phases {
		seen := map[int32]bool{}
		for i, f := range phase.Faults {
			problems = append(problems, checkFault(phase, i, f, seen[f.Node])...)
			seen[f.Node] = true
		}
	}
	return problems
}

func checkFault(phase v1beta1.PhaseSpec, i int, f v1beta1.FaultSpec, again bool) []problem.Problem {
	what := fmt.Sprintf("fault %d of phase %s", i, phase.Name)
	at, lasts := f.At.Duration, f.Lasts()
	switch {
	case again:
		return []problem.Problem{problem.New("use each node once, and repeats or rounds", "%s hits node %d again", what, f.Node)}
	case at%time.Millisecond != 0:
		return []problem.Problem{problem.New("use whole milliseconds, as in at: 30s", "%s is at %s", what, at)}
	case lasts%time.Millisecond != 0:
		return []problem.Problem{problem.New("use whole milliseconds, as in for: 10s", "%s is to last %s", what, lasts)}
	case f.Delays()%time.Millisecond != 0:
		return []problem.Problem{problem.New("use whole milliseconds, as in delay: 50ms", "%s delays packets by %s", what, f.Delays())}
	case f.Leaves() < 0:
		return []problem.Problem{problem.New("use a size, as in leave: 16Mi", "%s leaves %s of the volume", what, f.Leave)}
	case at < faultLead:
		return []problem.Problem{problem.New("use a later time", "%s is at %s, but the rate before it takes %s to measure", what, at, faultLead)}
	case phase.Lasts() < at+lasts+faultMargin:
		return []problem.Problem{problem.New("use an earlier time, or a longer phase", "%s ends at %s, but the phase must last %s longer than that", what, at+lasts, faultMargin)}
	}
	return nil
}
