package imagebuild

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
)

// configDigest returns the digest of an image's configuration, which nodes report for an image that was loaded from an
// archive. It is computed from the content: the file names in an archive depend on the tool that wrote it.
func configDigest(archive string) (string, error) {
	file, err := os.Open(archive)
	if err != nil {
		return "", fmt.Errorf("read image archive: %w", err)
	}
	defer file.Close()
	sums := map[string]string{} // of every file that is small enough to be a configuration
	var manifest []struct{ Config string }
	for reader := tar.NewReader(file); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("read image archive %s: %w", archive, err)
		}
		if header.Typeflag != tar.TypeReg || header.Size > 1<<20 {
			continue
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			return "", fmt.Errorf("read image archive %s: %w", archive, err)
		}
		sums[path.Clean(header.Name)] = fmt.Sprintf("sha256:%x", sha256.Sum256(content))
		if path.Clean(header.Name) == "manifest.json" {
			if err := json.Unmarshal(content, &manifest); err != nil {
				return "", fmt.Errorf("read manifest of image archive %s: %w", archive, err)
			}
		}
	}
	if len(manifest) != 1 || sums[path.Clean(manifest[0].Config)] == "" {
		return "", fmt.Errorf("image archive %s holds not exactly one image with its configuration", archive)
	}
	return sums[path.Clean(manifest[0].Config)], nil
}
