// Package lint checks the metadata of charts, as ct lint does, but without a network: that Chart.yaml has known fields only, that it has those
// which a catalogue shows, and that a chart which changed after its release has a new version.
package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"sigs.k8s.io/yaml"
)

// Metadata returns what is wrong with the Chart.yaml of the chart in a folder.
func Metadata(folder string) []error {
	path := filepath.Join(folder, "Chart.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return []error{fmt.Errorf("read the chart's metadata: %w", err)}
	}
	var chart chartv2.Metadata
	if err := yaml.UnmarshalStrict(text, &chart); err != nil {
		return []error{fmt.Errorf("%s: %w; use the fields of Helm's Chart.yaml", path, err)}
	}
	problems := content(&chart)
	if chart.Name != filepath.Base(folder) {
		problems = append(problems, fmt.Errorf("name is %q; use the name of the folder", chart.Name))
	}
	for _, file := range []string{"values.yaml", "values.schema.json", ".helmignore"} {
		if chart.Type == "library" { // it has templates only
			break
		}
		if _, err := os.Stat(filepath.Join(folder, file)); errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, fmt.Errorf("%s is missing; add it", file))
		}
	}
	for i, problem := range problems {
		problems[i] = fmt.Errorf("%s: %w", path, problem)
	}
	return problems
}

func content(chart *chartv2.Metadata) []error {
	var problems []error
	if err := chart.Validate(); err != nil {
		problems = append(problems, err)
	}
	if chart.APIVersion != chartv2.APIVersionV2 {
		problems = append(problems, fmt.Errorf("apiVersion is %q; use %s", chart.APIVersion, chartv2.APIVersionV2))
	}
	for field, missing := range map[string]bool{
		"description": chart.Description == "", "type": chart.Type == "", "appVersion": chart.AppVersion == "", "kubeVersion": chart.KubeVersion == "",
		"keywords": len(chart.Keywords) == 0, "sources": len(chart.Sources) == 0, "maintainers": len(chart.Maintainers) == 0,
	} {
		if missing {
			problems = append(problems, fmt.Errorf("%s is missing; add it", field))
		}
	}
	for _, address := range slices.Concat([]string{chart.Home}, chart.Sources) {
		problems = append(problems, absolute(address)...)
	}
	for _, maintainer := range chart.Maintainers {
		if maintainer.Name == "" {
			problems = append(problems, errors.New("a maintainer has no name; add it"))
		}
		problems = append(problems, absolute(maintainer.URL)...)
	}
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return problems
}

func absolute(address string) []error {
	if parsed, err := url.Parse(address); err != nil || parsed.Scheme != "https" || parsed.Host == "" {
		return []error{fmt.Errorf("address %q: it is not absolute; use https://<host>/<path> in home, sources and maintainers", address)}
	}
	return nil
}
