// Package precision ends a run that decides its own length: it reads what the spec asks for and, after each round, has package stop
// decide on the log ratios that the comparison would use. It is pure.
package precision

import (
	"fmt"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/compare/stop"
)

// RuleOf a spec that has a precision and a budget.
func RuleOf(spec *v1alpha1.ExperimentSpec) (stop.Rule, error) {
	share, err := ratio.ParseShare(spec.Precision)
	if err != nil {
		return stop.Rule{}, fmt.Errorf("PRECISION is %w", err)
	}
	rule := stop.Rule{Precision: share}
	if spec.Budget != nil {
		rule.Budget = spec.Budget.Duration
	}
	return rule, nil
}

// leastLoad is less than any load takes whose operations are counted: its pod starts, connects and delivers what it measured.
const leastLoad = time.Second

// LeastRoundTime is what a round takes at least: the durations of its phases.
func LeastRoundTime(spec *v1alpha1.ExperimentSpec) time.Duration {
	total := time.Duration(0)
	for _, phase := range spec.Phases {
		if phase.Prepare {
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
