// Package readme generates the README of a chart from Chart.yaml and the comments of values.yaml.
package readme

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:generate go run ./generate ../..

// File is the name of the README in the chart's folder.
const File = "README.md"

// chart is the content of Chart.yaml.
type chart struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	Version     string `yaml:"version"`
	AppVersion  string `yaml:"appVersion"`
	KubeVersion string `yaml:"kubeVersion"`
}

// Of returns the README of the chart in a folder.
func Of(folder string) ([]byte, error) {
	about, err := os.ReadFile(filepath.Join(folder, "Chart.yaml"))
	if err != nil {
		return nil, fmt.Errorf("read the chart: %w", err)
	}
	var c chart
	if err := yaml.Unmarshal(about, &c); err != nil {
		return nil, fmt.Errorf("decode %s/Chart.yaml: %w", folder, err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "values.yaml"))
	if err != nil {
		return nil, fmt.Errorf("read the chart's values: %w", err)
	}
	values, err := valuesOf(text)
	if err != nil {
		return nil, fmt.Errorf("%s/values.yaml: %w", folder, err)
	}
	return []byte(page(c, values)), nil
}

func page(c chart, v values) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<!-- Generated from Chart.yaml and values.yaml: change those, then `make generate`. -->\n# %s\n\n%s.\n\n", c.Name, strings.TrimSuffix(c.Description, "."))
	if v.about != "" {
		fmt.Fprintf(&out, "%s\n\n", v.about)
	}
	fmt.Fprintf(&out, "Chart version %s, application version %s, Kubernetes %s ([versions that were tried](../../docs/install/own-cluster.md#kubernetes-versions)). "+
		"`values.schema.json` defines the type and range of each value. Unknown values are rejected.\n\n",
		c.Version, c.AppVersion, strings.TrimSuffix(c.KubeVersion, "-0"))
	out.WriteString("| Value | Default | Description |\n|---|---|---|\n")
	for _, value := range v.rows {
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", value.path, cell(value.standard), cell(strings.ReplaceAll(value.about, "<", "&lt;")))
	}
	return out.String()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

var errNoMap = errors.New("it is no map of values")
