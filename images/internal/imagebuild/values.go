package imagebuild

import (
	"fmt"
)

// together returns the operator's image and the images for its registry. Images for another registry are not available
// to its cluster.
func (m Manifest) together() (operator Image, images []Image, err error) {
	operator, found := m.Find("operator")
	if !found {
		return Image{}, nil, fmt.Errorf("the operator's image was not built: run 'make images'")
	}
	for _, image := range m.Images {
		if image.Registry == operator.Registry {
			images = append(images, image)
		}
	}
	return operator, images, nil
}

// OperatorValues returns the values of charts/ringside: the operator's image, and the digests that stores and loads
// must run for a measurement to be valid.
func (m Manifest) OperatorValues() (map[string]any, error) {
	operator, images, err := m.together()
	if err != nil {
		return nil, err
	}
	digests := map[string]any{}
	for _, image := range images {
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

// MonitoringValues returns the values of charts/monitoring: our own Prometheus image, if it was built.
func (m Manifest) MonitoringValues() (map[string]any, error) {
	_, images, err := m.together()
	if err != nil {
		return nil, err
	}
	image, found := Manifest{Images: images}.Find("prometheus")
	if !found {
		return map[string]any{}, nil
	}
	return map[string]any{"prometheus": map[string]any{
		"image":   map[string]any{"registry": image.Registry, "repository": "ringside-" + image.Name, "tag": image.Tag},
		"version": image.Version,
	}}, nil
}
