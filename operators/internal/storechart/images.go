package storechart

import (
	"encoding/json"
	"fmt"
	"strings"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Images is where the images of Ringside come from, and what was built of them.
type Images struct {
	Registry   string
	Tag        string
	PullPolicy string
	// PullSecrets are the names of Secrets by which nodes log in to the registry.
	PullSecrets []string
	// Digests of what was built, by the image's short name; nil where nobody said.
	Digests map[string]ImageDigests
	// companions are the references of a chart's further images, by name.
	companions map[string]string
}

// SomeImages stand for the operator's where values are only checked.
func SomeImages() Images { return Images{Registry: "", Tag: "check", PullPolicy: "IfNotPresent"} }

// TagOf an image of ours: each has the tag of its own contents where somebody said what was built.
func (i Images) TagOf(image string) string {
	if built := i.Digests[image]; built.Tag != "" {
		return built.Tag
	}
	return i.Tag
}

// For the image: with its tag instead of that of all images.
func (i Images) For(image string) Images {
	i.Tag = i.TagOf(image)
	return i
}

// ImageDigests of one image, as the value images.digests of charts/ringside names them.
type ImageDigests struct {
	// Tag under which the image was built; empty is that of all images.
	Tag string `json:"tag,omitempty"`
	// Image digests that a node may report: the configuration's (loaded from an archive) and the manifest's (pulled).
	Image []string `json:"image,omitempty"`
	// Plugin is the SHA-256 of the jar in the image from which the servers come.
	Plugin string `json:"plugin,omitempty"`
}

// ParseDigests reads the value images.digests, as JSON; empty text is none.
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

// Reference of an image: a name without a slash is one of Ringside's own.
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

// Built describes what was built of an image, or nil where nobody knows: of one of Ringside's own by its digests, of another by
// the digest in its reference.
func (i Images) Built(image string) *v1alpha1.Build {
	if _, digest, pinned := strings.Cut(image, "@"); pinned {
		return &v1alpha1.Build{ImageDigests: []string{digest}}
	}
	built, known := i.Digests[image]
	if !known {
		return nil
	}
	return &v1alpha1.Build{ImageDigests: built.Image, PluginSHA256: built.Plugin}
}
