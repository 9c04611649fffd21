package rules

import (
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkExclusive finds servers that never rest in a store that hosts others too: each of those would be measured beside them.
func checkExclusive(spec *v1alpha1.ExperimentSpec, chart *storechart.Chart) []Fault {
	if hostedAtOnce(spec) < 2 {
		return nil
	}
	var faults []Fault
	for _, server := range spec.Servers {
		if chart.Exclusive(server.ServerType()) {
			faults = append(faults, fault("leave it out of --server (SERVER=), or --set spec.store.hosting=Dedicated",
				"server %s keeps cores busy while it is idle, and with shared hosting every other server would be measured beside it", server.Name))
		}
	}
	return faults
}

// hostedAtOnce is how many servers a store of the experiment runs at once. A shared one hosts the plain server of a type also where only a
// further one of it is measured.
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
