package validation

import (
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkExclusive rejects servers that keep cores busy while idle where others run at the same time: they would distort those servers' figures.
func checkExclusive(spec *v1beta1.ExperimentSpec, chart *storechart.Chart, hosted int) []problem.Problem {
	if hosted < 2 {
		return nil
	}
	var problems []problem.Problem
	for _, server := range spec.Servers {
		if chart.Exclusive(server.ServerType()) {
			problems = append(problems, problem.New("leave it out of --server (SERVER=), or --set spec.store.hosting=Dedicated",
				"server %s keeps cores busy while it is idle, which with %s hosting distorts the figures of every other server", server.Name, spec.Store.Hosting))
		}
	}
	return problems
}

// hostedAtOnce returns how many servers an installation of the experiment runs at once. One that hosts all servers also hosts the plain server
// of a type if only another instance of the type is measured.
func hostedAtOnce(spec *v1beta1.ExperimentSpec) int {
	switch spec.Store.Hosting {
	case v1beta1.HostingShared:
	case v1beta1.HostingSideBySide:
		return len(spec.Servers)
	default:
		return 1
	}
	hosted := map[string]bool{}
	for _, server := range spec.Servers {
		hosted[server.ServerType()], hosted[server.HostedAs()] = true, true
	}
	return len(hosted)
}
