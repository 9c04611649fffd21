package storechart

import (
	"encoding/json"
	"fmt"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Images holds the source of Ringside's images, and what was built.
type Images struct {
	Registry   string
	Tag        string
	PullPolicy string
	// PullSecrets are the names of Secrets with the credentials of the registry.
	PullSecrets []string
	// Digests of the built images, by short name; nil if unknown.
	Digests map[string]ImageDigests
	// companions are the references of a chart's further images, by name.
	companions map[string]string
	// foreign states that the chart names its images itself.
	foreign bool
}

// SomeImages returns images for checking values, where the operator's own are not known.
func SomeImages() Images { return Images{Registry: "", Tag: "check", PullPolicy: "IfNotPresent"} }

// TagOf returns the tag of an image of Ringside: its own if the digests contain one, else the common tag.
func (i Images) TagOf(image string) string {
	if built := i.Digests[image]; built.Tag != "" {
		return built.Tag
	}
	return i.Tag
}

// For returns the images with the tag of one image as the common tag.
func (i Images) For(image string) Images {
	i.Tag = i.TagOf(image)
	return i
}

// ImageDigests holds the digests of one image, as in the value images.digests of charts/ringside.
type ImageDigests struct {
	// Tag under which the image was built; empty means the common tag.
	Tag string `json:"tag,omitempty"`
	// Image lists the digests that a node may report: of the index, and for each platform of the manifest and of the configuration.
	Image []string `json:"image,omitempty"`
	// Plugin is the SHA-256 of the jar in the image that contains the servers.
	Plugin string `json:"plugin,omitempty"`
}

// ParseDigests parses the value images.digests, which is JSON or empty.
func ParseDigests(text string) (map[string]ImageDigests, error) {
	if text == "" {
		return nil, nil
	}
	var digests map[string]ImageDigests
	if err := json.Unmarshal([]byte(text), &digests); err != nil {
		return nil, fmt.Errorf("read the images' digests: %w", err)
	}
	return digests, nil
}

// Reference returns the full reference of an image. A name without a slash is one of Ringside's own.
func (i Images) Reference(image string) string {
	if strings.Contains(image, "/") {
		return image
	}
	name := "ringside-" + image
	if i.Registry != "" {
		name = strings.TrimSuffix(i.Registry, "/") + "/" + name
	}
	if tag := i.TagOf(image); tag != "" {
		name += ":" + tag
	}
	return name
}

// Built describes the build of an image, or returns nil if it is unknown. For an image of Ringside, it uses the digests; for another, the
// digest in its reference.
func (i Images) Built(image string) *v1beta1.Build {
	if _, digest, pinned := strings.Cut(image, "@"); pinned {
		return &v1beta1.Build{ImageDigests: []string{digest}}
	}
	built, known := i.Digests[image]
	if !known {
		return nil
	}
	return &v1beta1.Build{ImageDigests: built.Image, PluginSHA256: built.Plugin}
}
