// Package imagebuild builds Ringside's images and records them in a manifest. Loading, pushing and installing read only
// the manifest.
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

// Manifest lists the images that were built. It is written after each image, so it never lists an image that does not
// exist.
type Manifest struct {
	Images []Image `json:"images"`
}

// Image is an image that was built.
type Image struct {
	Name string `json:"name"`
	// Registry is the prefix of the reference. For images that are only loaded it is not the address of a registry.
	Registry string `json:"registry"`
	// Tag is a digest of all inputs of the image, so that a tag that a node has seen never refers to other content.
	Tag string `json:"tag"`
	// Digests are those under which nodes may report the image: of what the tag refers to, then of the manifest and of the
	// configuration for each platform.
	Digests []string `json:"digests"`
	// Platforms for which it was built.
	Platforms []string `json:"platforms"`
	// Archive is the path of the archive to load; empty if the image was pushed.
	Archive string `json:"archive,omitempty"`
	// Version is the version of the image's content, if its staging script records one.
	Version string `json:"version,omitempty"`
	// PluginSHA256 is the digest of the jar with a store's servers.
	PluginSHA256 string `json:"pluginSHA256,omitempty"`
}

// Reference returns the image's reference on nodes.
func (i Image) Reference() string { return fmt.Sprintf("%s/ringside-%s:%s", i.Registry, i.Name, i.Tag) }

// Find returns the image with that name.
func (m Manifest) Find(name string) (Image, bool) {
	at := slices.IndexFunc(m.Images, func(i Image) bool { return i.Name == name })
	if at < 0 {
		return Image{}, false
	}
	return m.Images[at], true
}

// With returns the manifest with the image in place of an older one of its name.
func (m Manifest) With(image Image) Manifest {
	images := slices.DeleteFunc(slices.Clone(m.Images), func(i Image) bool { return i.Name == image.Name })
	images = append(images, image)
	slices.SortFunc(images, func(a, b Image) int { return strings.Compare(a.Name, b.Name) })
	return Manifest{Images: images}
}

// ReadManifest reads the manifest. A missing file is an empty manifest.
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
		return Manifest{}, fmt.Errorf("read manifest of images %s: %w; remove it to build all again", path, err)
	}
	return m, nil
}

// Write replaces the file atomically.
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
