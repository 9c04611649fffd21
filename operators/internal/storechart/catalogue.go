package storechart

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/source"
)

// Catalogue is a list of sources of charts. Each chart is a folder. Of two charts with one name, that of the earlier source counts. Charts of
// registries have references in place of names.
type Catalogue struct {
	sources    []source.Source
	registries *Registries
}

// NewCatalogue returns a catalogue that reads charts from a folder on demand.
func NewCatalogue(dir string) Catalogue { return CatalogueOf(source.Dir(dir)) }

// CatalogueOf returns a catalogue that reads charts from sources on demand.
func CatalogueOf(sources ...source.Source) Catalogue { return Catalogue{sources: sources} }

// With returns the catalogue with the charts of registries. Without it, they are rejected.
func (c Catalogue) With(registries *Registries) Catalogue {
	c.registries = registries
	return c
}

// Stores returns the sorted names of the charts that are stores by their Chart.yaml.
func (c Catalogue) Stores() ([]string, error) {
	var all []string
	for _, from := range c.sources {
		names, err := storesOf(from)
		if err != nil {
			return nil, err
		}
		all = append(all, names...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func storesOf(from source.Source) ([]string, error) {
	entries, err := fs.ReadDir(from, ".")
	if err != nil {
		return nil, fmt.Errorf("list the charts: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		text, err := fs.ReadFile(from, entry.Name()+"/Chart.yaml")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var metadata chartv2.Metadata
		if err == nil {
			err = yaml.Unmarshal(text, &metadata)
		}
		if err != nil {
			return nil, fmt.Errorf("read Chart.yaml of %s: %w", entry.Name(), err)
		}
		if metadata.Annotations[annotationKind] == kindStore {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// Open loads a store's chart. An unknown name is a problem that lists the known ones.
func (c Catalogue) Open(name string) (*Chart, error) {
	if of := (v1beta1.StoreSpec{Chart: name}); of.InRegistry() {
		return c.pull(of)
	}
	for _, from := range c.sources {
		names, err := storesOf(from)
		if err != nil {
			return nil, err
		}
		if slices.Contains(names, name) {
			return load(from, name)
		}
	}
	known, err := c.Stores()
	if err != nil {
		return nil, err
	}
	return nil, problem.New("choose from "+strings.Join(known, ", "), "unknown store %q", name).Because(v1beta1.RefusedUnknownStore)
}

func load(from source.Source, name string) (*Chart, error) {
	loaded, err := ReadFolder(from.Under(name))
	if err != nil {
		return nil, fmt.Errorf("load chart %s: %w", name, err)
	}
	if err := addLibraries(from, loaded); err != nil {
		return nil, fmt.Errorf("load chart %s: %w", name, err)
	}
	chart, err := newChart(loaded)
	if err != nil {
		return nil, err
	}
	chart.where = from.Under(name).Where()
	return chart, nil
}

// addLibraries adds the charts that a chart depends on and that its folder lacks, from the folders that their repositories name, as in
// file://../store-library. A checkout has links to them; the files that are built into the program have none.
func addLibraries(from source.Source, chart *chartv2.Chart) error {
	for _, wanted := range chart.Metadata.Dependencies {
		folder, beside := strings.CutPrefix(wanted.Repository, "file://../")
		has := slices.ContainsFunc(chart.Dependencies(), func(c *chartv2.Chart) bool { return c.Name() == wanted.Name })
		if !beside || has {
			continue
		}
		library, err := ReadFolder(from.Under(folder))
		if err != nil {
			return fmt.Errorf("read its dependency %s: %w", wanted.Name, err)
		}
		chart.AddDependency(library)
	}
	return nil
}

// pull loads the chart of a registry. Each call returns a chart of its own, because Helm changes charts when it installs them.
func (c Catalogue) pull(of v1beta1.StoreSpec) (*Chart, error) {
	registries := c.registries
	if registries == nil {
		registries = NewRegistries(nil, nil)
	}
	content, err := registries.archive(of.Chart)
	if err != nil {
		return nil, err
	}
	loaded, err := loader.LoadArchive(bytes.NewReader(content))
	if err != nil {
		return nil, problem.New("package it with helm package", "chart %s cannot be read: %s", of.Chart, err).Because(v1beta1.RefusedContractViolated)
	}
	lacks := ""
	switch {
	case loaded.Name() != of.Name():
		lacks = fmt.Sprintf("Chart.yaml names it %s: the last part of its repository must be its name", loaded.Name())
	case loaded.Metadata.Annotations[annotationKind] != kindStore:
		lacks = fmt.Sprintf("Chart.yaml has no annotation %s: %s", annotationKind, kindStore)
	case len(loaded.Schema) == 0:
		lacks = "it has no values.schema.json, which lists its servers and values"
	}
	if lacks != "" {
		return nil, problem.New("see docs/reference/store-contract.md", "chart %s is not the chart of a store: %s", of.Chart, lacks).Because(v1beta1.RefusedContractViolated)
	}
	chart, err := newChart(loaded)
	if err != nil {
		return nil, problem.New("see docs/reference/store-contract.md", "%s", err).Because(v1beta1.RefusedContractViolated)
	}
	chart.where, chart.digest = of.Chart, of.ChartDigest()
	return chart, nil
}
