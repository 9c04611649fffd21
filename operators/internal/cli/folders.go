package cli

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/source"
)

const (
	defaultExperiments = "experiments"
	defaultCharts      = "charts"
	defaultImages      = "images"
)

// BuiltIn are files that are part of the program. A nil field has none.
type BuiltIn struct {
	// Experiments are the experiment files.
	Experiments fs.FS
	// Charts are the charts, one folder each, and the folder profiles.
	Charts fs.FS
	// Loads are the schemas of load generators, one folder each.
	Loads fs.FS
}

// folders are the folders whose files come before the built-in ones.
type folders struct {
	experiments, charts, images string
	builtIn                     BuiltIn
}

func (f *folders) bind(cmd *cobra.Command) {
	f.bindExperiments(cmd)
	f.bindCharts(cmd)
	cmd.Flags().StringVar(&f.images, "images", defaultImages, "`folder` of images: their load generators come before the built-in ones when parameters are checked")
}

func (f *folders) bindExperiments(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.experiments, "experiments", defaultExperiments, "`folder` of experiment files, which come before the built-in ones")
}

func (f *folders) bindCharts(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.charts, "charts", defaultCharts, "`folder` of charts and profiles, which come before the built-in ones; the operator installs its own charts of stores")
}

func (f *folders) experimentSources() ([]source.Source, error) {
	return sources("--experiments", f.experiments, defaultExperiments, f.builtIn.Experiments)
}

// builtInExperiments are those of the repository, which profiles are made for.
func (f *folders) builtInExperiments() []source.Source {
	if f.builtIn.Experiments == nil {
		return nil
	}
	return []source.Source{source.BuiltIn(f.builtIn.Experiments)}
}

func (f *folders) chartSources() ([]source.Source, error) {
	return sources("--charts", f.charts, defaultCharts, f.builtIn.Charts)
}

// chart returns the files of a chart.
func (f *folders) chart(name string) (source.Source, error) {
	charts, err := f.chartSources()
	if err != nil {
		return source.Source{}, err
	}
	for _, from := range charts {
		if _, found := from.File(name + "/Chart.yaml"); found {
			return from.Under(name), nil
		}
	}
	return source.Source{}, problem.Problem{What: fmt.Sprintf("there is no chart %q", name), Fix: "check --charts"}
}

func (f *folders) loadSources() ([]source.Source, error) {
	return sources("--images", f.images, defaultImages, f.builtIn.Loads)
}

func (f *folders) profileSources() ([]source.Source, error) {
	charts, err := f.chartSources()
	if err != nil {
		return nil, err
	}
	profiles := make([]source.Source, len(charts))
	for i, from := range charts {
		profiles[i] = from.Under("profiles")
	}
	return profiles, nil
}

// sources returns where files are looked for: in the folder, then among the built-in files. Only the default folder may be missing.
func sources(flag, folder, usual string, builtIn fs.FS) ([]source.Source, error) {
	var found []source.Source
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		found = append(found, source.Dir(folder))
	} else if folder != usual && folder != "" {
		return nil, problem.Problem{What: fmt.Sprintf("%s is %q, and there is no such folder", flag, folder), Fix: "check the path"}
	}
	if builtIn != nil {
		found = append(found, source.BuiltIn(builtIn))
	}
	return found, nil
}
