package rules

import (
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkExclusive finds servers that never rest in a store that hosts others too: each of those would be measured beside them.
func checkExclusive(spec *v1alpha1.ExperimentSpec, chart *storechart.Chart) []Fault {
	types := map[string]bool{}
	for _, server := range spec.Servers {
		types[server.ServerType()] = true
	}
	if spec.Store.Hosting != v1alpha1.HostingShared || len(types) < 2 {
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
