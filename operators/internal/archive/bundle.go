package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

const bundleSuffix = ".tar.gz"

// MaxSize bounds the size of data from elsewhere, such as a bundle. A run of hundreds of measurements has some ten
// megabytes.
const MaxSize = 4 << 30

// WriteBundle packs the folder into <experiment>-<run>.tar.gz inside it, and returns the path. Equal folders give equal
// bundles: names are sorted, and times are those of the run.
func (f Folder) WriteBundle(name string, at time.Time) (string, error) {
	names, err := f.names()
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	compressed := gzip.NewWriter(&packed)
	archive := tar.NewWriter(compressed)
	for _, file := range names {
		text, err := os.ReadFile(filepath.Join(f.Path, file))
		if err != nil {
			return "", fmt.Errorf("bundling the run: %w", err)
		}
		header := &tar.Header{Name: path.Join(name, filepath.ToSlash(file)), Mode: 0o644, Size: int64(len(text)), ModTime: at.UTC(), Format: tar.FormatPAX}
		if err := archive.WriteHeader(header); err != nil {
			return "", fmt.Errorf("bundling %s: %w", file, err)
		}
		if _, err := archive.Write(text); err != nil {
			return "", fmt.Errorf("bundling %s: %w", file, err)
		}
	}
	if err := errors.Join(archive.Close(), compressed.Close()); err != nil {
		return "", fmt.Errorf("bundling the run: %w", err)
	}
	bundle := filepath.Join(f.Path, name+bundleSuffix)
	return bundle, WriteFile(bundle, packed.Bytes())
}

// BundleName returns a bundle's path without its suffix.
func BundleName(location string) string { return strings.TrimSuffix(location, bundleSuffix) }

// files reads the files of a run from a folder or a bundle.
type files interface {
	read(name string) ([]byte, error) // fs.ErrNotExist if there is none
	list(dir string) []string         // names below dir, sorted
}

type folderFiles string

func (f folderFiles) read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(f), name))
}

func (f folderFiles) list(dir string) []string {
	entries, err := os.ReadDir(filepath.Join(string(f), dir))
	if err != nil {
		return nil // the reader reports the files that are missing with the folder
	}
	var names []string
	for _, entry := range entries {
		names = append(names, path.Join(dir, entry.Name()))
	}
	return names
}

type bundleFiles struct {
	order []string
	text  map[string][]byte
}

func openBundle(file string) (*bundleFiles, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("opening the bundle: %w", err)
	}
	defer in.Close()
	compressed, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("%s is not a bundle (not gzip): %w", file, err)
	}
	archive := tar.NewReader(io.LimitReader(compressed, MaxSize))
	bundle := &bundleFiles{text: map[string][]byte{}}
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return bundle, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s is damaged: %w", file, err)
		}
		_, name, inside := strings.Cut(path.Clean(header.Name), "/") // the first element is the bundle's name
		if header.Typeflag != tar.TypeReg || !inside {
			continue
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			return nil, fmt.Errorf("%s is damaged at %s: %w", file, name, err)
		}
		bundle.order = append(bundle.order, name)
		bundle.text[name] = text
	}
}

func (b *bundleFiles) read(name string) ([]byte, error) {
	text, there := b.text[name]
	if !there {
		return nil, fmt.Errorf("%s: %w", name, os.ErrNotExist)
	}
	return text, nil
}

func (b *bundleFiles) list(dir string) []string {
	var names []string
	for _, name := range b.order {
		if path.Dir(name) == dir {
			names = append(names, name)
		}
	}
	return names
}
