package meter

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Name is the name of the executable that Install writes.
const Name = "meter"

// Install copies the running executable into dir for the load container. An init container with the image of meter calls it, so that load
// images need not include meter.
func Install(dir string) error {
	source, err := os.Open("/proc/self/exe")
	if err != nil {
		return fmt.Errorf("install meter: %w", err)
	}
	defer source.Close() //nolint:errcheck // only read
	// The file must appear complete: after a restart of the init container, the old copy may be in use.
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
