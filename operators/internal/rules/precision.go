package rules

import (
	"fmt"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/compare/stop"
	"ringside.dev/ringside/operators/internal/precision"
)

// checkPrecision finds a run that would stop by itself never, too soon, or where it cannot know.
func checkPrecision(spec *v1alpha1.ExperimentSpec) []Fault {
	switch {
	case spec.Precision == "" && spec.Budget == nil:
		return nil
	case spec.Budget == nil:
		return []Fault{fault("say how long the rounds may take, as in BUDGET=20m (--budget)", "there is a precision of %s to be reached, and no budget", spec.Precision)}
	case spec.Precision == "":
		return []Fault{fault("say how precise the run is to be, as in PRECISION=3% (--precision)", "there is a budget of %s, and no precision to be reached in it", spec.Budget.Duration)}
	}
	rule, err := precision.RuleOf(spec)
	if err == nil {
		err = rule.Check(precision.LeastRoundTime(spec))
	}
	if err != nil {
		return []Fault{fault("", "%s", err)} // it names the mend
	}
	var faults []Fault
	if len(spec.Servers) < 2 {
		faults = append(faults, fault("name two or more with --server (SERVER=), or leave PRECISION and BUDGET out", "a precision of %s is one of ratios, and there is one server", spec.Precision))
	}
	if spec.InstallationCount() > 1 {
		faults = append(faults, fault("take one of the two out", "precision decides how many rounds one installation takes, and installations is %d", spec.Installations))
	}
	if least := stop.LeastRounds + spec.WarmupRounds; spec.Rounds < least {
		faults = append(faults, fault(fmt.Sprintf("use ROUNDS=%d or more (--rounds); for so many exactly, --set spec.precision=null --set spec.budget=null", least),
			"rounds is %d, and a run that stops by itself takes %d at least, of which %d warm up", spec.Rounds, least, spec.WarmupRounds))
	}
	return faults
}
