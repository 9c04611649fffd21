// Package loadimage reads what a load's image says that it takes (docs/reference/load-contract.md): a schema of its orders beside its Containerfile. What
// the load would refuse when it starts is so refused before anything is started. Whoever asks what a load can do asks here.
package loadimage

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// schemaFile in a load image's folder.
const schemaFile = "orders.schema.json"

// Catalogue is a folder of images, one folder each. Those that have a schema of orders are loads.
type Catalogue struct {
	dir string
}

// NewCatalogue reads schemas from a folder, when they are asked for.
func NewCatalogue(dir string) Catalogue { return Catalogue{dir: dir} }

// AtHand reports whether there are loads in the folder. Without them the operator, which has some, makes the checks.
func (c Catalogue) AtHand() bool {
	names, err := c.Loads()
	return err == nil && len(names) > 0
}

// Loads are the names of the images that are loads, in order.
func (c Catalogue) Loads() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(c.dir, "*", schemaFile))
	if err != nil {
		return nil, fmt.Errorf("list the loads: %w", err)
	}
	names := make([]string, 0, len(files))
	for _, file := range files {
		names = append(names, filepath.Base(filepath.Dir(file)))
	}
	slices.Sort(names)
	return names, nil
}

// Open reads a load's schema; nil for an image that others made, which has a slash in its name: nothing is known of it. The error of a
// name that is none lists the loads.
func (c Catalogue) Open(image string) (*Load, error) {
	if strings.Contains(image, "/") {
		return nil, nil
	}
	known, err := c.Loads()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(known, image) {
		return nil, &UnknownLoadError{Name: image, Known: known}
	}
	text, err := os.ReadFile(filepath.Join(c.dir, image, schemaFile))
	if err != nil {
		return nil, fmt.Errorf("read what load %s takes: %w", image, err)
	}
	return newLoad(image, text)
}

// UnknownLoadError names an image that is no load, and those that are.
type UnknownLoadError struct {
	Name  string
	Known []string
}

func (e *UnknownLoadError) Error() string {
	return fmt.Sprintf("unknown load %q: choose from %s", e.Name, strings.Join(e.Known, ", "))
}
