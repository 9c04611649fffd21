package precision

import (
	"fmt"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// RuleOf returns the stopping rule of a spec with a precision and a budget.
func RuleOf(spec *v1beta1.ExperimentSpec) (Rule, error) {
	share, err := ratio.ParseShare(spec.Precision)
	if err != nil {
		return Rule{}, fmt.Errorf("PRECISION is %w", err)
	}
	rule := Rule{Precision: share, Phases: map[string]ratio.Distance{}}
	for _, phase := range spec.Phases {
		if phase.Precision == "" {
			continue
		}
		if rule.Phases[phase.Name], err = ratio.ParseDistance(phase.Precision); err != nil {
			return Rule{}, fmt.Errorf("the precision of phase %s is %w", phase.Name, err)
		}
	}
	if spec.Budget != nil {
		rule.Budget = spec.Budget.Duration
	}
	return rule, nil
}

// leastLoad is a lower bound of the time of a load with a number of operations: its pod starts, connects and delivers its result.
const leastLoad = time.Second

// LeastRoundTime returns the minimum time of a round: the durations of its phases.
func LeastRoundTime(spec *v1beta1.ExperimentSpec) time.Duration {
	total := time.Duration(0)
	for _, phase := range spec.Phases {
		if phase.Type == v1beta1.PhasePrepare {
			continue
		}
		once, loads := leastLoad, len(spec.Servers)
		if phase.Duration != nil {
			once = phase.Duration.Duration
		}
		if phase.Interleave != nil {
			once, loads = once+phase.Interleave.Warmup.Duration, 1
		}
		total += once * time.Duration(loads*max(int(phase.Repeats), 1)*len(phase.Points()))
	}
	return total
}
