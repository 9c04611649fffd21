package storechart

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
)

// Catalogue is a folder of charts, one folder each.
type Catalogue struct {
	dir string
}

// NewCatalogue returns a catalogue that reads charts from a folder on demand.
func NewCatalogue(dir string) Catalogue { return Catalogue{dir: dir} }

// Stores returns the sorted names of the charts that are stores by their Chart.yaml.
func (c Catalogue) Stores() ([]string, error) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, fmt.Errorf("list the charts: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		metadata, err := chartutil.LoadChartfile(filepath.Join(c.dir, entry.Name(), "Chart.yaml"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read Chart.yaml of %s: %w", entry.Name(), err)
		}
		if metadata.Annotations[annotationKind] == kindStore {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// AtHand reports whether the folder exists. If not, the checks are left to the operator, which has the charts.
func (c Catalogue) AtHand() bool {
	info, err := os.Stat(c.dir)
	return err == nil && info.IsDir()
}

// Open loads a store's chart. The error for an unknown name lists the known ones.
func (c Catalogue) Open(name string) (*Chart, error) {
	known, err := c.Stores()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(known, name) {
		return nil, &UnknownStoreError{Name: name, Known: known}
	}
	return c.load(name)
}

func (c Catalogue) load(name string) (*Chart, error) {
	loaded, err := loader.LoadDir(filepath.Join(c.dir, name))
	if err != nil {
		return nil, fmt.Errorf("load chart %s: %w", name, err)
	}
	return newChart(loaded)
}

// UnknownStoreError reports a chart that does not exist, with the existing ones.
type UnknownStoreError struct {
	Name  string
	Known []string
}

func (e *UnknownStoreError) Error() string {
	return fmt.Sprintf("unknown store %q: choose from %s", e.Name, strings.Join(e.Known, ", "))
}
