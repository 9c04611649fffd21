package imagebuild

import (
	"archive/tar"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// tree maps paths in an image to files, folders and links on this machine; an empty name is an empty file.
type tree map[string]string

// addFolder adds everything in a folder, which becomes the image's root.
func (t tree) addFolder(folder string) error {
	err := filepath.WalkDir(folder, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || file == folder {
			return err
		}
		name, err := filepath.Rel(folder, file)
		t["/"+filepath.ToSlash(name)] = file
		return err
	})
	if err != nil {
		return fmt.Errorf("list staged files: %w", err)
	}
	return nil
}

// withParents returns the tree with all folders above its files.
func (t tree) withParents() map[string]string {
	all := map[string]string{}
	for name := range t {
		for above := path.Dir(name); above != "/"; above = path.Dir(above) {
			all[above] = "/"
		}
	}
	maps.Copy(all, t)
	return all
}

// writeLayer writes a tar archive of the tree and returns the digest of the archive. Its bytes depend only on names,
// contents, links, and whether a file is executable.
func (t tree) writeLayer(file string) (digest string, err error) {
	to, err := os.Create(file)
	if err != nil {
		return "", fmt.Errorf("write layer: %w", err)
	}
	defer to.Close()
	sum := sha256.New()
	writer := tar.NewWriter(io.MultiWriter(to, sum))
	files := t.withParents()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := writeEntry(writer, strings.TrimPrefix(name, "/"), files[name]); err != nil {
			return "", fmt.Errorf("write layer: %s: %w", name, err)
		}
	}
	if err := writer.Close(); err != nil {
		return "", fmt.Errorf("write layer: %w", err)
	}
	if err := to.Close(); err != nil {
		return "", fmt.Errorf("write layer: %w", err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

func writeEntry(to *tar.Writer, name, file string) error {
	header := &tar.Header{Name: name, ModTime: time.Unix(0, 0), Format: tar.FormatPAX, Typeflag: tar.TypeReg, Mode: 0o644}
	if file == "" {
		return to.WriteHeader(header)
	}
	info, err := os.Lstat(file)
	if err != nil {
		return err
	}
	switch {
	case info.IsDir():
		header.Name, header.Typeflag, header.Mode = name+"/", tar.TypeDir, 0o755
		return to.WriteHeader(header)
	case info.Mode()&fs.ModeSymlink != 0:
		header.Typeflag, header.Mode = tar.TypeSymlink, 0o777
		if header.Linkname, err = os.Readlink(file); err != nil {
			return err
		}
		return to.WriteHeader(header)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no file, folder or link", file)
	}
	if info.Mode()&0o111 != 0 {
		header.Mode = 0o755
	}
	header.Size = info.Size()
	if err := to.WriteHeader(header); err != nil {
		return err
	}
	content, err := os.Open(file)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = io.Copy(to, content)
	return err
}
