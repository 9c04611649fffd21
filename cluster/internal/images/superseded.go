package images

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Superseded returns the references in a node's image store that can be removed: tags that another tag of the same name
// has replaced and that no object of the cluster uses, and containerd's references to the same content by digest. Tags
// are digests of content: without this, each change of a source would leave another image on every node.
//
// present maps the references of the store to the digests of their manifests. loaded lists the images that were just
// loaded. inUse has the images that the cluster's objects name.
func Superseded(present map[string]string, loaded []Image, inUse map[string]bool) []string {
	current := map[string]bool{}
	names := map[string]bool{}
	for _, image := range loaded {
		current[image.Name] = true
		names[untagged(image.Name)] = true
	}
	kept := map[string]bool{}
	gone := map[string]bool{}
	var old []string
	for reference, digest := range present {
		switch {
		case bare(reference):
		case names[untagged(reference)] && !current[reference] && !inUse[reference]:
			old = append(old, reference)
			gone[digest] = true
		default:
			kept[digest] = true
		}
	}
	for reference, digest := range present {
		if bare(reference) && gone[digest] && !kept[digest] {
			old = append(old, reference)
		}
	}
	slices.Sort(old)
	return old
}

// bare reports whether a reference is the digest of an image's configuration.
func bare(reference string) bool { return strings.HasPrefix(reference, "sha256:") }

// untagged returns an image's name without its tag. A registry's port is not a tag.
func untagged(reference string) string {
	if at := strings.LastIndexByte(reference, ':'); at > strings.LastIndexByte(reference, '/') {
		return reference[:at]
	}
	return reference
}

// InUse returns all image names in a JSON list of Kubernetes objects.
func InUse(objects []byte) (map[string]bool, error) {
	var document any
	if err := json.Unmarshal(objects, &document); err != nil {
		return nil, fmt.Errorf("read the images that objects name: %w", err)
	}
	found := map[string]bool{}
	collect(document, found)
	return found, nil
}

func collect(value any, found map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		if image, is := value["image"].(string); is {
			found[image] = true
		}
		for _, element := range value {
			collect(element, found)
		}
	case []any:
		for _, element := range value {
			collect(element, found)
		}
	}
}

// Prune removes the references that the loaded images have superseded, and returns their number.
func (s Store) Prune(ctx context.Context, loaded []Image, inUse map[string]bool) (int, error) {
	listing, err := s.ctr(ctx, nil, "images", "ls")
	if err != nil {
		return 0, fmt.Errorf("list images of %s: %w", s.Node, err)
	}
	old := Superseded(parseListing(listing), loaded, inUse)
	if len(old) == 0 {
		return 0, nil
	}
	if _, err := s.ctr(ctx, nil, append([]string{"images", "rm"}, old...)...); err != nil {
		return 0, fmt.Errorf("remove superseded images of %s: %w", s.Node, err)
	}
	return len(old), nil
}
