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
	// Digests of what was built, by the image's short name; nil where nobody said.
	Digests map[string]ImageDigests
}

// SomeImages stand for the operator's where values are only checked.
func SomeImages() Images { return Images{Registry: "", Tag: "check", PullPolicy: "IfNotPresent"} }

// ImageDigests of one image, as the value images.digests of charts/ringside names them.
type ImageDigests struct {
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
	if i.Tag != "" {
		name += ":" + i.Tag
	}
	return name
}

// Built says what was built of an image, or nil where nobody knows: of one of Ringside's own by its digests, of another by
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
