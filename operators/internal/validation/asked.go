package validation

import (
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/storechart"
)

// Asked returns the settings that the experiment sets for a type of server of an installation, by their names in the store's proof.
func Asked(spec v1beta1.ExperimentSpec, installation plan.Store, serverType string, chart *storechart.Chart) (map[string]string, error) {
	if chart.SideBySide() {
		installation.Types, installation.Instances = []string{serverType}, nil // the settings of other types are those of other processes
	}
	values, err := StoreValues(spec, installation, storechart.Images{})
	if err != nil {
		return nil, err
	}
	return chart.Asked(values), nil
}

// Upgraded returns the type of server that a node of an installation is after the task upgrade, and the settings that it has then; empty if the
// node cannot be upgraded.
func Upgraded(spec v1beta1.ExperimentSpec, installation plan.Store, chart *storechart.Chart) (serverType string, asked map[string]string, err error) {
	values, err := StoreValues(spec, installation, storechart.Images{})
	if err != nil {
		return "", nil, err
	}
	if serverType = chart.UpgradeTo(values); serverType == "" {
		return "", nil, nil
	}
	installation.Types, installation.Instances = []string{serverType}, nil
	values, err = StoreValues(spec, installation, storechart.Images{})
	if err != nil {
		return "", nil, err
	}
	return serverType, chart.Asked(values), nil
}

// AskedNames returns the names of the settings that the experiment sets for any server, and for what its nodes are upgraded to. Each proof keeps
// their values, so that servers can be compared.
func AskedNames(spec v1beta1.ExperimentSpec, chart *storechart.Chart) ([]string, error) {
	var all []map[string]any
	for _, server := range spec.Servers {
		values, err := valuesOf(spec, server, server.ServerType())
		if err != nil {
			return nil, err
		}
		all = append(all, values)
		if upgraded := chart.UpgradeTo(values); upgraded != "" {
			if values, err = valuesOf(spec, server, upgraded); err != nil {
				return nil, err
			}
			all = append(all, values)
		}
	}
	return chart.AskedNames(all...), nil
}

// valuesOf returns the values of a server as one of the given type.
func valuesOf(spec v1beta1.ExperimentSpec, server v1beta1.ServerSpec, serverType string) (map[string]any, error) {
	return storechart.Values(spec.Store.Values, server.Values, storechart.Servers{Types: []string{serverType}}, storechart.Images{})
}
