package imagebuild

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// public lists images that only a cluster without access to a registry needs from us.
var public = []string{"prometheus"}

// All returns the names of all images: each folder with a description.
func All(folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*", specFile))
	if err != nil {
		return nil, fmt.Errorf("look for images: %w", err)
	}
	var names []string
	for _, file := range files {
		names = append(names, filepath.Base(filepath.Dir(file)))
	}
	return names, nil
}

// Choice selects images by what is to run.
type Choice struct {
	// Experiment is the experiment file; empty for all images.
	Experiment string
	// Servers are its servers to run, separated by commas; empty for all.
	Servers string
	// Charts is the folder of the stores' charts.
	Charts string
}

// annotationServerImages maps server types to the images that their pods run in place of the chart's own.
const annotationServerImages = "ringside.dev/server-images"

// Needed returns the images that the servers of an experiment file need: the operator, the store and its enabled companions, the
// loads, and Prometheus. It ignores images of others.
func Needed(choice Choice, all []string) ([]string, error) {
	document := choice.Experiment
	content, err := os.ReadFile(document)
	if err != nil {
		return nil, fmt.Errorf("read experiment: %w", err)
	}
	var experiment struct {
		Spec struct {
			Store struct {
				Chart string
				// A companion is enabled by the value with its name.
				Values map[string]any
			}
			Servers []struct{ Name, Type, Chart string }
			Load    struct{ Image string }
			// Phases may have their own loads.
			Phases []struct{ Image string }
		}
	}
	if err := yaml.Unmarshal(content, &experiment); err != nil {
		return nil, fmt.Errorf("read experiment %s: %w", document, err)
	}
	store := experiment.Spec.Store.Chart
	types, charts := map[string]string{}, map[string]string{}
	var servers []string
	for _, server := range experiment.Spec.Servers {
		types[server.Name], charts[server.Name] = server.Type, server.Chart
		servers = append(servers, server.Name)
	}
	if chosen := strings.FieldsFunc(choice.Servers, func(r rune) bool { return r == ',' || r == ' ' }); len(chosen) > 0 {
		servers = chosen
	}
	var run, ofServers []string // the images of the servers, and those of any server that are not its chart's own
	for _, server := range servers {
		chart := cmp.Or(charts[server], store)
		instead, err := serverImages(filepath.Join(choice.Charts, chart, "Chart.yaml"))
		if err != nil {
			return nil, err
		}
		run = append(run, cmp.Or(instead[cmp.Or(types[server], server)], chart))
		ofServers = slices.AppendSeq(ofServers, maps.Values(instead))
	}
	if len(run) == 0 {
		run = []string{store}
	}
	wanted := slices.Concat([]string{"operator", experiment.Spec.Load.Image}, run, public)
	for _, phase := range experiment.Spec.Phases {
		wanted = append(wanted, phase.Image)
	}
	for name, value := range experiment.Spec.Store.Values {
		table, is := value.(map[string]any)
		if is && table["enabled"] == true && (!slices.Contains(ofServers, name) || slices.Contains(run, name)) {
			wanted = append(wanted, name)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !slices.Contains(wanted, name) }), nil
}

// serverImages reads the images of server types that do not run in the chart's own. A chart of another folder is not known here.
func serverImages(file string) (map[string]string, error) {
	content, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the store's chart: %w", err)
	}
	var chart struct{ Annotations map[string]string }
	images := map[string]string{}
	if err := yaml.Unmarshal(content, &chart); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if err := yaml.Unmarshal([]byte(chart.Annotations[annotationServerImages]), &images); err != nil {
		return nil, fmt.Errorf("read annotation %s of %s: %w", annotationServerImages, file, err)
	}
	return images, nil
}

// WithoutPublic removes the images that a cluster with access to the public registry pulls from there.
func WithoutPublic(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(public, name) })
}

// Select returns the requested images: those that were named, else those that the choice needs, else all but those apart.
func Select(folder string, choice Choice, names []string) ([]string, error) {
	all, err := All(folder)
	if err != nil {
		return nil, err
	}
	switch {
	case len(names) > 0:
		return names, checkNames(names, all)
	case choice.Experiment != "":
		return Needed(choice, all)
	}
	return withoutApart(folder, all)
}

func withoutApart(folder string, names []string) ([]string, error) {
	var kept []string
	for _, name := range names {
		spec, _, err := readSpec(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		if !spec.Apart {
			kept = append(kept, name)
		}
	}
	return kept, nil
}

// checkNames rejects names of unknown images.
func checkNames(names, all []string) error {
	for _, name := range names {
		if !slices.Contains(all, name) {
			return fmt.Errorf("no image is named %q; there are: %s", name, strings.Join(all, ", "))
		}
	}
	return nil
}
