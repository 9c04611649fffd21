package validation

import (
	"maps"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// Charts are the charts of an experiment's servers, by their names in it.
type Charts map[string]*storechart.Chart

// OpenCharts opens the charts of all servers.
func OpenCharts(spec v1beta1.ExperimentSpec, open func(name string) (*storechart.Chart, error)) (Charts, error) {
	charts := Charts{}
	for _, server := range spec.Servers {
		name := spec.StoreOf(server).Chart
		if charts[name] != nil {
			continue
		}
		chart, err := open(name)
		if err != nil {
			return nil, err
		}
		charts[name] = chart
	}
	return charts, nil
}

// each makes a check for each chart, of the experiment with its servers only.
func (c Charts) each(spec *v1beta1.ExperimentSpec, check func(*v1beta1.ExperimentSpec, *storechart.Chart) []problem.Problem) []problem.Problem {
	var problems []problem.Problem
	for _, name := range slices.Sorted(maps.Keys(c)) {
		own := *spec
		own.Store.Chart = name
		own.Servers = slices.DeleteFunc(slices.Clone(spec.Servers), func(s v1beta1.ServerSpec) bool { return spec.StoreOf(s).Chart != name })
		problems = append(problems, check(&own, c[name])...)
	}
	return problems
}
