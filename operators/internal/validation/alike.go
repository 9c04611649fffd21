package validation

import (
	"context"
	"encoding/json"
	"reflect"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkAlike rejects servers of one type that have different values and install the same store: the chart does not use what differs. They are
// rendered as one release, because a chart may put the name of the release into a checksum.
func checkAlike(ctx context.Context, experiment *v1beta1.Experiment, charts Charts, images storechart.Images) error {
	spec := experiment.Spec
	if spec.Store.Hosting == v1beta1.HostingShared {
		return nil
	}
	manifests := map[string]string{}
	render := func(server v1beta1.ServerSpec) (string, error) {
		if manifest, there := manifests[server.Name]; there {
			return manifest, nil
		}
		chart := charts[spec.StoreOf(server).Chart]
		values, err := StoreValues(spec, plan.Release{Servers: []string{server.Name}, Types: []string{server.ServerType()}}, chart.Images(images))
		if err != nil {
			return "", err
		}
		manifests[server.Name], err = storechart.Render(ctx, storechart.Order{Release: "store", Chart: chart, Values: values}, experiment.Namespace)
		return manifests[server.Name], err
	}
	for i, server := range spec.Servers {
		for _, other := range spec.Servers[:i] {
			if server.ServerType() != other.ServerType() || server.Chart == other.Chart && sameValues(server.Values, other.Values) {
				continue
			}
			one, err := render(other)
			if err != nil {
				return err
			}
			two, err := render(server)
			if err != nil {
				return err
			}
			if one == two {
				return problem.New("use values that chart "+charts[spec.StoreOf(server).Chart].Name()+" reads for type "+server.ServerType()+", and that differ",
					"servers %s and %s have different values, but install the same store", other.Name, server.Name).Because(v1beta1.RefusedInvalidValues)
			}
		}
	}
	return nil
}

func sameValues(a, b *storechart.JSON) bool {
	var trees [2]map[string]any
	for i, values := range []*storechart.JSON{a, b} {
		if values != nil && json.Unmarshal(values.Raw, &trees[i]) != nil {
			return true // no table, which checkValues reports
		}
	}
	return len(trees[0])+len(trees[1]) == 0 || reflect.DeepEqual(trees[0], trees[1])
}
