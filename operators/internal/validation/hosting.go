package validation

import (
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkHosting rejects a way of hosting that the chart does not support, and faults where each server has nodes of its own: a fault names one
// node of the store.
func checkHosting(spec *v1beta1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
	sideBySide := spec.Store.Hosting == v1beta1.HostingSideBySide
	switch {
	case sideBySide && !chart.SideBySide():
		return []problem.Problem{problem.New("--set spec.store.hosting=Shared or Dedicated", "hosting is %s, but store %s cannot be installed once for each server", spec.Store.Hosting, chart.Name())}
	case spec.Store.Hosting == v1beta1.HostingShared && chart.SideBySide() && hostedAtOnce(spec) > 1:
		return []problem.Problem{problem.New("--set spec.store.hosting=SideBySide or Dedicated", "hosting is %s, but a store of chart %s runs one server", spec.Store.Hosting, chart.Name())}
	case !sideBySide:
		return nil
	}
	var problems []problem.Problem
	for _, phase := range spec.Phases {
		if len(phase.Faults) > 0 {
			problems = append(problems, problem.New("--set spec.store.hosting=Dedicated, or remove spec.phases."+phase.Name+".faults",
				"phase %s has faults, which name a node of the only store, but with %s hosting each server has its own", phase.Name, spec.Store.Hosting))
		}
	}
	return problems
}
