package imagebuild

import (
	"fmt"
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

// Needed returns the images that an experiment file needs: the operator, the store and its enabled companions, the
// loads, and Prometheus. It ignores images of others.
func Needed(document string, all []string) ([]string, error) {
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
			Load struct{ Image string }
			// Phases may have their own loads.
			Phases []struct{ Image string }
		}
	}
	if err := yaml.Unmarshal(content, &experiment); err != nil {
		return nil, fmt.Errorf("read experiment %s: %w", document, err)
	}
	wanted := append([]string{"operator", experiment.Spec.Store.Chart, experiment.Spec.Load.Image}, public...)
	for _, phase := range experiment.Spec.Phases {
		wanted = append(wanted, phase.Image)
	}
	for name, value := range experiment.Spec.Store.Values {
		if table, is := value.(map[string]any); is && table["enabled"] == true {
			wanted = append(wanted, name)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !slices.Contains(wanted, name) }), nil
}

// WithoutPublic removes the images that a cluster with access to the public registry pulls from there.
func WithoutPublic(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(public, name) })
}

// Select returns the requested images: those that were named, else those that the experiment needs, else all.
func Select(folder, experiment string, names []string) ([]string, error) {
	all, err := All(folder)
	if err != nil {
		return nil, err
	}
	switch {
	case len(names) > 0:
		return names, checkNames(names, all)
	case experiment != "":
		return Needed(experiment, all)
	}
	return all, nil
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
