package images

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// Image is an image in an archive.
type Image struct {
	Name   string // full, with registry and tag
	Config string // digest of its configuration, which depends on the content but not on the archive's format
}

// maxDocument bounds the size of JSON documents that are read from an archive.
const maxDocument = 4 << 20

// Inspect returns the images in an OCI or docker archive, which may be gzipped.
func Inspect(archive string) ([]Image, error) {
	documents, err := readDocuments(archive)
	if err != nil {
		return nil, fmt.Errorf("read image archive %s: %w", archive, err)
	}
	images, err := imagesIn(documents)
	if err != nil {
		return nil, fmt.Errorf("read image archive %s: %w", archive, err)
	}
	return images, nil
}

// readDocuments returns the small JSON files of the archive by path.
func readDocuments(archive string) (map[string][]byte, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var plain io.Reader = bufio.NewReaderSize(f, 1<<16)
	if start, err := plain.(*bufio.Reader).Peek(2); err == nil && bytes.Equal(start, []byte{0x1f, 0x8b}) {
		if plain, err = gzip.NewReader(plain); err != nil {
			return nil, err
		}
	} else {
		plain = f // seeking skips through a plain tar
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
	}
	documents := map[string][]byte{}
	reader := tar.NewReader(plain)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, errors.New("not a tar archive, or cut short")
		}
		if header.Typeflag != tar.TypeReg || header.Size > maxDocument {
			continue
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) || bytes.HasPrefix(bytes.TrimSpace(content), []byte("[")) {
			documents[path.Clean(header.Name)] = content
		}
	}
}

func imagesIn(documents map[string][]byte) ([]Image, error) {
	if content, ok := documents["manifest.json"]; ok {
		return dockerImages(content)
	}
	if content, ok := documents["index.json"]; ok {
		return ociImages(content, documents)
	}
	return nil, errors.New("neither an OCI nor a docker image archive (no index.json, no manifest.json)")
}

func dockerImages(content []byte) ([]Image, error) {
	var entries []struct {
		Config   string
		RepoTags []string
	}
	if err := json.Unmarshal(content, &entries); err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	var images []Image
	for _, entry := range entries {
		hash := strings.TrimSuffix(path.Base(entry.Config), ".json")
		for _, tag := range entry.RepoTags {
			images = append(images, Image{Name: tag, Config: "sha256:" + hash})
		}
	}
	return named(images)
}

func ociImages(content []byte, documents map[string][]byte) ([]Image, error) {
	var all index
	if err := json.Unmarshal(content, &all); err != nil {
		return nil, fmt.Errorf("index.json: %w", err)
	}
	var images []Image
	for _, entry := range all.Manifests {
		name := entry.Annotations[annotationName]
		if name == "" {
			name = entry.Annotations[annotationRef]
		}
		var m manifest
		if err := json.Unmarshal(documents[blobPath(entry.Digest)], &m); err != nil {
			return nil, fmt.Errorf("manifest %s: %w", entry.Digest, err)
		}
		if m.Config.Digest == "" {
			return nil, fmt.Errorf("manifest %s names no configuration: archives of several platforms are not supported", entry.Digest)
		}
		images = append(images, Image{Name: name, Config: m.Config.Digest})
	}
	return named(images)
}

// named rejects an archive without a named image: no pod could request it.
func named(images []Image) ([]Image, error) {
	if len(images) == 0 {
		return nil, errors.New("holds no named image")
	}
	for _, image := range images {
		if !strings.Contains(image.Name, ":") || !strings.Contains(image.Name, "/") {
			return nil, fmt.Errorf("image name %q is not a full one: save it with registry and tag, as localhost/name:tag", image.Name)
		}
	}
	return images, nil
}

func blobPath(digest string) string { return "blobs/" + strings.Replace(digest, ":", "/", 1) }
