// Package imagebuild builds Ringside's images and says, in one manifest, what it built: loading, pushing and installing read that
// and nothing else.
package imagebuild

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Manifest is what was built. It is written after each image, so that it never names one that is not there.
type Manifest struct {
	Images []Image `json:"images"`
}

// Image is one that was built.
type Image struct {
	Name string `json:"name"`
	// Registry that the reference begins with; that of images which are only loaded is a name, no place.
	Registry string `json:"registry"`
	// Tag is a digest of all that the image was made of: other bytes never hide behind a tag that a node has seen.
	Tag string `json:"tag"`
	// Digests under which a node may report the image: of its configuration where it is loaded from an archive, of its manifest
	// where it is pulled.
	Digests []string `json:"digests"`
	// Archive to load; empty when the image was pushed.
	Archive string `json:"archive,omitempty"`
	// Version of what is in the image, where its staging says so.
	Version string `json:"version,omitempty"`
	// PluginSHA256 is that of the jar from which a store's servers come.
	PluginSHA256 string `json:"pluginSHA256,omitempty"`
}

// Reference by which nodes know the image.
func (i Image) Reference() string { return fmt.Sprintf("%s/ringside-%s:%s", i.Registry, i.Name, i.Tag) }

// Find returns the image of that name.
func (m Manifest) Find(name string) (Image, bool) {
	at := slices.IndexFunc(m.Images, func(i Image) bool { return i.Name == name })
	if at < 0 {
		return Image{}, false
	}
	return m.Images[at], true
}

// With returns the manifest with the image instead of an older one of its name.
func (m Manifest) With(image Image) Manifest {
	images := slices.DeleteFunc(slices.Clone(m.Images), func(i Image) bool { return i.Name == image.Name })
	images = append(images, image)
	slices.SortFunc(images, func(a, b Image) int { return strings.Compare(a.Name, b.Name) })
	return Manifest{Images: images}
}

// ReadManifest reads the file; one that is not there yet is empty.
func ReadManifest(path string) (Manifest, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, nil
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("read manifest of images: %w", err)
	}
	var m Manifest
	if err := json.Unmarshal(content, &m); err != nil {
		return Manifest{}, fmt.Errorf("read manifest of images %s: %w; remove it to build all anew", path, err)
	}
	return m, nil
}

// Write replaces the file as a whole.
func (m Manifest) Write(path string) error {
	content, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("write manifest of images: %w", err)
	}
	if err := os.WriteFile(path+".new", append(content, '\n'), 0o644); err != nil {
		return fmt.Errorf("write manifest of images: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("write manifest of images: %w", err)
	}
	return nil
}
