package validation

import (
	"fmt"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/problem"
)

// checkPrecision rejects a run with a precision that would never stop, stop too early, or cannot know when to stop.
func checkPrecision(spec *v1beta1.ExperimentSpec) []problem.Problem {
	switch {
	case spec.Precision == "" && spec.Budget == nil:
		return nil
	case spec.Budget == nil:
		return []problem.Problem{problem.New("add a budget for the rounds, as in BUDGET=20m (--budget)", "there is a precision of %s without a budget", spec.Precision)}
	case spec.Precision == "":
		return []problem.Problem{problem.New("add a precision, as in PRECISION=3% (--precision)", "there is a budget of %s without a precision", spec.Budget.Duration)}
	}
	rule, err := precision.RuleOf(spec)
	if err == nil {
		err = rule.Check(precision.LeastRoundTime(spec))
	}
	if err != nil {
		return []problem.Problem{problem.New("", "%s", err)} // it includes the fix
	}
	problems := checkDistances(spec, "precision", func(p *v1beta1.PhaseSpec) string { return p.Precision })
	if len(spec.Servers) < 2 {
		problems = append(problems, problem.New("name two or more with --server (SERVER=), or leave PRECISION and BUDGET out", "a precision of %s applies to ratios, but there is one server", spec.Precision))
	}
	if spec.InstallationCount() > 1 {
		problems = append(problems, problem.New("remove one of the two", "precision needs one installation, but installations is %d", spec.Installations))
	}
	if least := precision.LeastRounds + spec.WarmupRounds; spec.Rounds < least {
		problems = append(problems, problem.New(fmt.Sprintf("use ROUNDS=%d or more (--rounds); for a fixed number of rounds, --set spec.precision=null --set spec.budget=null", least),
			"rounds is %d, but a run with a precision needs at least %d, including %d for warm-up", spec.Rounds, least, spec.WarmupRounds))
	}
	return problems
}
