package validation

import (
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/storechart"
)

// Asked returns the settings that the experiment sets for an installation's store, by their names in its proof.
func Asked(spec v1alpha1.ExperimentSpec, installation plan.Store, chart *storechart.Chart) (map[string]string, error) {
	values, err := StoreValues(spec, installation, storechart.Images{})
	if err != nil {
		return nil, err
	}
	return chart.Asked(values), nil
}

// AskedNames returns the names of the settings that the experiment sets for any server. Each proof keeps their values, so that servers can be
// compared.
func AskedNames(spec v1alpha1.ExperimentSpec, chart *storechart.Chart) ([]string, error) {
	var all []map[string]any
	for _, server := range spec.Servers {
		values, err := storechart.Values(spec.Store.Values, server.Values, storechart.Servers{Types: []string{server.ServerType()}}, storechart.Images{})
		if err != nil {
			return nil, err
		}
		all = append(all, values)
	}
	return chart.AskedNames(all...), nil
}
