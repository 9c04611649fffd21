package validation

import (
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkExclusive rejects servers that keep cores busy while idle in a store that hosts other servers: they would distort those servers' figures.
func checkExclusive(spec *v1alpha1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
	if hostedAtOnce(spec) < 2 {
		return nil
	}
	var problems []problem.Problem
	for _, server := range spec.Servers {
		if chart.Exclusive(server.ServerType()) {
			problems = append(problems, problem.New("leave it out of --server (SERVER=), or --set spec.store.hosting=Dedicated",
				"server %s keeps cores busy while it is idle, which with shared hosting distorts the figures of every other server", server.Name))
		}
	}
	return problems
}

// hostedAtOnce returns how many servers a store of the experiment runs at once. A shared store hosts the plain server of a type even if only
// another instance of the type is measured.
func hostedAtOnce(spec *v1alpha1.ExperimentSpec) int {
	if spec.Store.Hosting != v1alpha1.HostingShared {
		return 1
	}
	hosted := map[string]bool{}
	for _, server := range spec.Servers {
		hosted[server.ServerType()], hosted[server.HostedAs()] = true, true
	}
	return len(hosted)
}
