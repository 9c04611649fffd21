package validation

import (
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/storechart"
)

// Asked returns the settings that the experiment sets for the servers of a release, by their names in the store's proof.
func Asked(spec v1beta1.ExperimentSpec, release plan.Release, chart *storechart.Chart) (map[string]string, error) {
	values, err := StoreValues(spec, release, storechart.Images{})
	if err != nil {
		return nil, err
	}
	return chart.Asked(values), nil
}

// Upgraded returns the type of server that a node of a release is after the task upgrade, and the settings that it has then; empty if the
// node cannot be upgraded.
func Upgraded(spec v1beta1.ExperimentSpec, release plan.Release, chart *storechart.Chart) (serverType string, asked map[string]string, err error) {
	values, err := StoreValues(spec, release, storechart.Images{})
	if err != nil {
		return "", nil, err
	}
	if serverType = chart.UpgradeTo(values); serverType == "" {
		return "", nil, nil
	}
	release.Types, release.Instances = []string{serverType}, nil
	values, err = StoreValues(spec, release, storechart.Images{})
	if err != nil {
		return "", nil, err
	}
	return serverType, chart.Asked(values), nil
}

// AskedNames returns the names of the settings that the experiment sets for any server, and for what its nodes are upgraded to. Each proof keeps
// their values, so that servers can be compared.
func AskedNames(spec v1beta1.ExperimentSpec, charts Charts) ([]string, error) {
	var all []string
	for _, server := range spec.Servers {
		chart := charts[spec.StoreOf(server).Chart]
		values, err := valuesOf(spec, server, server.ServerType())
		if err != nil {
			return nil, err
		}
		all = append(all, chart.AskedNames(values)...)
		if upgraded := chart.UpgradeTo(values); upgraded != "" {
			if values, err = valuesOf(spec, server, upgraded); err != nil {
				return nil, err
			}
			all = append(all, chart.AskedNames(values)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// valuesOf returns the values of a server as one of the given type.
func valuesOf(spec v1beta1.ExperimentSpec, server v1beta1.ServerSpec, serverType string) (map[string]any, error) {
	return storechart.Values(spec.Store.Values, server.Values, storechart.Servers{Types: []string{serverType}}, storechart.Images{})
}
