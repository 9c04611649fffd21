package imagebuild

import (
	"fmt"
)

// OperatorValues are those of charts/ringside: which image the operator runs, and what stores and loads must run to be valid.
func (m Manifest) OperatorValues() (map[string]any, error) {
	operator, found := m.Find("operator")
	if !found {
		return nil, fmt.Errorf("the operator's image was not built: run 'make images'")
	}
	digests := map[string]any{}
	for _, image := range m.Images {
		built := map[string]any{"tag": image.Tag, "image": image.Digests}
		if image.PluginSHA256 != "" {
			built["plugin"] = image.PluginSHA256
		}
		digests[image.Name] = built
	}
	return map[string]any{
		"image":  map[string]any{"registry": operator.Registry, "tag": operator.Tag},
		"images": map[string]any{"digests": digests},
	}, nil
}

// MonitoringValues are those of charts/monitoring: our own Prometheus where one was built.
func (m Manifest) MonitoringValues() map[string]any {
	image, found := m.Find("prometheus")
	if !found {
		return map[string]any{}
	}
	return map[string]any{"prometheus": map[string]any{
		"image":   map[string]any{"registry": image.Registry, "repository": "ringside-" + image.Name, "tag": image.Tag},
		"version": image.Version,
	}}
}
