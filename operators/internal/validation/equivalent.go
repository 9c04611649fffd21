package validation

import (
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/problem"
)

// checkEquivalent checks the margins of equivalence: that of the experiment, which applies to ratios, and those of the phases.
func checkEquivalent(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	if spec.Equivalent != "" {
		if _, err := ratio.ParseShare(spec.Equivalent); err != nil {
			problems = append(problems, problem.New("", "equivalent is %s", err)) // it includes the fix
		}
	}
	return append(problems, checkDistances(spec, "equivalent", func(p *v1beta1.PhaseSpec) string { return p.Equivalent })...)
}

// checkDistances checks a field of phases that holds a margin or a precision.
func checkDistances(spec *v1beta1.ExperimentSpec, field string, of func(*v1beta1.PhaseSpec) string) []problem.Problem {
	var problems []problem.Problem
	for i := range spec.Phases {
		phase := &spec.Phases[i]
		text := of(phase)
		if phase.Type == v1beta1.PhasePrepare && text != "" {
			problems = append(problems, problem.New("remove it", "phase %s has %s: %s, but a phase of type Prepare is not compared", phase.Name, field, text))
			continue
		}
		if err := compare.CheckPhaseDistance(phase, text); err != nil {
			problems = append(problems, problem.New("", "%s of phase %s is %s", field, phase.Name, err)) // it includes the fix
		}
	}
	return problems
}
