package validation

import (
	"fmt"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkUpgrades rejects upgrades of nodes that can become nothing else, or already did: there is no way back but a fresh store.
func checkUpgrades(spec *v1beta1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
	var problems []problem.Problem
	upgraded := map[int32]bool{}
	for _, phase := range spec.Phases {
		for i, f := range phase.Faults {
			if !f.Upgrades() {
				continue
			}
			what := fmt.Sprintf("fault %d of phase %s upgrades node %d", i, phase.Name, f.Node)
			again := upgraded[f.Node] || int(phase.Repeats)*len(phase.Points()) > 1
			upgraded[f.Node] = true
			switch {
			case chart.UpgradeValue() == "":
				problems = append(problems, problem.New("use another task", "%s, but the chart of store %s does not state what a node is then (annotation ringside.dev/upgrade-to)", what, chart.Name()))
			case spec.Store.Hosting.AtOnce():
				problems = append(problems, problem.New("--set spec.store.hosting="+string(v1beta1.HostingDedicated), "%s, but with %s hosting the same store serves all rounds", what, spec.Store.Hosting))
			case again:
				problems = append(problems, problem.New("upgrade each node once, and use rounds", "%s, which was upgraded before in the same store", what))
			default:
				problems = append(problems, checkUpgradeValue(spec, chart, what)...)
			}
		}
	}
	return problems
}

// checkUpgradeValue rejects the upgrade of a server for which the chart's value is empty.
func checkUpgradeValue(spec *v1beta1.ExperimentSpec, chart *storechart.Chart, what string) []problem.Problem {
	var problems []problem.Problem
	for _, server := range spec.Servers {
		values, err := valuesOf(*spec, server, server.ServerType())
		if err == nil && chart.UpgradeTo(values) == "" { // an error is reported elsewhere
			problems = append(problems, problem.New(fmt.Sprintf("set it in spec.store.values, or in spec.servers.%s.values, as %s describes it", server.Name, chart.ValuesFile()),
				"%s, but value %s of server %s is empty", what, chart.UpgradeValue(), server.Name))
		}
	}
	return problems
}
