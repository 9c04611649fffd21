// Package images builds the cluster's own images and loads image archives into the nodes, without a registry.
package images

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Images of the cluster itself: each has one static program and no other files.
const (
	PauseName   = "ringside.dev/pause:1"
	CoreDNSName = "ringside.dev/coredns:1"
)

// Media types and annotations of the OCI image specification.
const (
	mediaTypeIndex    = "application/vnd.oci.image.index.v1+json"
	mediaTypeManifest = "application/vnd.oci.image.manifest.v1+json"
	mediaTypeConfig   = "application/vnd.oci.image.config.v1+json"
	mediaTypeLayer    = "application/vnd.oci.image.layer.v1.tar"
	// annotationName is the annotation in which containerd expects an image's full name; annotationRef is that of the
	// specification.
	annotationName = "io.containerd.image.name"
	annotationRef  = "org.opencontainers.image.ref.name"
)

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int64             `json:"size"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type index struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType,omitempty"`
	Manifests     []descriptor `json:"manifests"`
}

type manifest struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType,omitempty"`
	Config        descriptor   `json:"config"`
	Layers        []descriptor `json:"layers"`
}

// BuildScratch writes an OCI archive of an image with one static program that runs as the given user. Its output is
// reproducible.
func BuildScratch(archive, name, program, user string) error {
	content, err := os.ReadFile(program)
	if err != nil {
		return fmt.Errorf("read program of image %s: %w", name, err)
	}
	entrypoint := "/" + filepath.Base(program)
	layer, err := tarOf(file{name: entrypoint[1:], mode: 0o555, content: content})
	if err != nil {
		return fmt.Errorf("build image %s: %w", name, err)
	}
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH,
		"os":           "linux",
		"config":       map[string]any{"User": user, "Entrypoint": []string{entrypoint}},
		"rootfs":       map[string]any{"type": "layers", "diff_ids": []string{digest(layer)}},
	})
	if err != nil {
		return fmt.Errorf("build image %s: %w", name, err)
	}
	manifestJSON, err := json.Marshal(manifest{
		SchemaVersion: 2, MediaType: mediaTypeManifest,
		Config: describe(mediaTypeConfig, config), Layers: []descriptor{describe(mediaTypeLayer, layer)},
	})
	if err != nil {
		return fmt.Errorf("build image %s: %w", name, err)
	}
	entry := describe(mediaTypeManifest, manifestJSON)
	entry.Annotations = map[string]string{annotationName: name}
	indexJSON, err := json.Marshal(index{SchemaVersion: 2, MediaType: mediaTypeIndex, Manifests: []descriptor{entry}})
	if err != nil {
		return fmt.Errorf("build image %s: %w", name, err)
	}
	whole, err := tarOf(
		file{name: "oci-layout", mode: 0o444, content: []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		file{name: "index.json", mode: 0o444, content: indexJSON},
		blob(manifestJSON), blob(config), blob(layer),
	)
	if err != nil {
		return fmt.Errorf("build image %s: %w", name, err)
	}
	if err := os.MkdirAll(filepath.Dir(archive), 0o755); err != nil {
		return fmt.Errorf("build image %s: %w", name, err)
	}
	if err := os.WriteFile(archive, whole, 0o644); err != nil {
		return fmt.Errorf("build image %s: %w", name, err)
	}
	return nil
}

type file struct {
	name    string
	mode    int64
	content []byte
}

func blob(content []byte) file {
	return file{name: blobPath(digest(content)), mode: 0o444, content: content}
}

func tarOf(files ...file) ([]byte, error) {
	var buffer bytes.Buffer
	writer := tar.NewWriter(&buffer)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.content)), ModTime: time.Unix(0, 0)}
		if err := writer.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := writer.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return buffer.Bytes(), nil
}

func describe(mediaType string, content []byte) descriptor {
	return descriptor{MediaType: mediaType, Digest: digest(content), Size: int64(len(content))}
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}
