package meter

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Name of the executable that Install leaves behind.
const Name = "meter"

// Install copies the running executable into dir, where a load container finds it. It is done by an init container of
// the image that brings meter, so that load images need not.
func Install(dir string) error {
	source, err := os.Open("/proc/self/exe")
	if err != nil {
		return fmt.Errorf("install meter: %w", err)
	}
	defer source.Close() //nolint:errcheck // only read
	// A name that appears whole: a pod whose init container is restarted may find the old copy in use.
	partial, err := os.CreateTemp(dir, Name+".*")
	if err != nil {
		return fmt.Errorf("install meter: %w", err)
	}
	defer os.Remove(partial.Name()) //nolint:errcheck // gone once renamed
	if _, err := io.Copy(partial, source); err != nil {
		return fmt.Errorf("install meter: %w", err)
	}
	if err := partial.Chmod(0o755); err != nil {
		return fmt.Errorf("install meter: %w", err)
	}
	if err := partial.Close(); err != nil {
		return fmt.Errorf("install meter: %w", err)
	}
	if err := os.Rename(partial.Name(), filepath.Join(dir, Name)); err != nil {
		return fmt.Errorf("install meter: %w", err)
	}
	return nil
}
