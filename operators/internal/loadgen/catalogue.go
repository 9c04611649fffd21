package loadgen

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/source"
)

// schemaFile in a load image's folder.
const schemaFile = "orders.schema.json"

// Catalogue is a list of sources of images. Each image is a folder, and those with a schema of orders are loads. Of two images with one
// name, that of the earlier source counts.
type Catalogue struct {
	sources []source.Source
}

// NewCatalogue returns a catalogue that reads schemas from a folder on demand.
func NewCatalogue(dir string) Catalogue { return CatalogueOf(source.Dir(dir)) }

// CatalogueOf returns a catalogue that reads schemas from sources on demand.
func CatalogueOf(sources ...source.Source) Catalogue { return Catalogue{sources: sources} }

// AtHand reports whether there are loads in the folder. Without them the operator, which has some, makes the checks.
func (c Catalogue) AtHand() bool {
	names, err := c.Loads()
	return err == nil && len(names) > 0
}

// Loads are the names of the images that are loads, in order.
func (c Catalogue) Loads() ([]string, error) {
	var names []string
	for _, from := range c.sources {
		files, err := fs.Glob(from, "*/"+schemaFile)
		if err != nil {
			return nil, fmt.Errorf("list the loads: %w", err)
		}
		for _, file := range files {
			names = append(names, path.Dir(file))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Open reads a load's schema; nil for an image that others made, which has a slash in its name: nothing is known of it. The error of a
// name that is none lists the loads.
func (c Catalogue) Open(image string) (*Load, error) {
	if strings.Contains(image, "/") {
		return nil, nil
	}
	file, found := source.Find(image+"/"+schemaFile, c.sources...)
	if !found {
		known, err := c.Loads()
		if err != nil {
			return nil, err
		}
		return nil, &UnknownLoadError{Name: image, Known: known}
	}
	text, err := file.Read()
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
