package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"sigs.k8s.io/yaml"
)

// Chart is what the local checks know of a store's chart: the default values and their schema.
type Chart struct {
	Name string
	// ServerTypes the store knows, from the schema's enum of server.types.
	ServerTypes []string
	// SingleConnection are the server types that serve one connection at a time.
	SingleConnection []string
	defaults         []byte
	schema           *jsonschema.Schema
}

// ErrNoChart says that the folder of charts is not at hand; the operator then makes the checks.
var ErrNoChart = errors.New("no charts folder")

// ReadChart reads the store's chart from the folder of charts.
func ReadChart(charts, name string) (*Chart, error) {
	if info, err := os.Stat(charts); err != nil || !info.IsDir() {
		return nil, ErrNoChart
	}
	folder := filepath.Join(charts, name)
	schemaText, err := os.ReadFile(filepath.Join(folder, "values.schema.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault("choose from "+listStores(charts), "unknown store %q", name)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the chart's schema: %w", err)
	}
	var head struct {
		Properties struct {
			Server struct {
				Properties struct {
					Types struct {
						Items struct {
							Enum []string `json:"enum"`
						} `json:"items"`
					} `json:"types"`
				} `json:"properties"`
			} `json:"server"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(schemaText, &head); err != nil {
		return nil, fmt.Errorf("decoding %s/values.schema.json: %w", folder, err)
	}
	schema, err := compileSchema(name, schemaText)
	if err != nil {
		return nil, fmt.Errorf("compiling %s/values.schema.json: %w", folder, err)
	}
	defaults := []byte("{}")
	if text, err := os.ReadFile(filepath.Join(folder, "values.yaml")); err == nil {
		if defaults, err = yaml.YAMLToJSON(text); err != nil {
			return nil, fmt.Errorf("decoding %s/values.yaml: %w", folder, err)
		}
	}
	single, err := singleConnectionServers(folder)
	if err != nil {
		return nil, err
	}
	types := head.Properties.Server.Properties.Types.Items.Enum
	return &Chart{Name: name, ServerTypes: types, SingleConnection: single, defaults: defaults, schema: schema}, nil
}

// annotationSingleConnection of a chart lists, split by commas, the server types that serve one connection at a time.
const annotationSingleConnection = "ringside.dev/single-connection-servers"

func singleConnectionServers(folder string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(folder, "Chart.yaml"))
	if err != nil {
		return nil, fmt.Errorf("reading the chart: %w", err)
	}
	var chart struct {
		Annotations map[string]string `json:"annotations"`
	}
	if err := yaml.Unmarshal(text, &chart); err != nil {
		return nil, fmt.Errorf("decoding %s/Chart.yaml: %w", folder, err)
	}
	split := func(r rune) bool { return r == ',' || r == ' ' }
	return strings.FieldsFunc(chart.Annotations[annotationSingleConnection], split), nil
}

// listStores names the charts that are stores: those whose schema lists server types.
func listStores(charts string) string {
	var names []string
	files, _ := filepath.Glob(filepath.Join(charts, "*", "values.schema.json")) // the pattern is well formed
	for _, file := range files {
		if chart, err := ReadChart(charts, filepath.Base(filepath.Dir(file))); err == nil && len(chart.ServerTypes) > 0 {
			names = append(names, chart.Name)
		}
	}
	if len(names) == 0 {
		return "the stores of another --charts folder (" + charts + " has none)"
	}
	return strings.Join(names, ", ")
}

func compileSchema(name string, text []byte) (*jsonschema.Schema, error) {
	tree, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	url := name + "/values.schema.json"
	if err := compiler.AddResource(url, tree); err != nil {
		return nil, err
	}
	return compiler.Compile(url)
}

// Values merges the chart's defaults with what the experiment lays over them, as Helm does, and names the servers to host.
func (c *Chart) Values(serverTypes []string, overlays ...[]byte) (map[string]any, error) {
	merged := c.defaults
	hosted, err := json.Marshal(map[string]any{"server": map[string]any{"types": serverTypes}})
	if err != nil {
		return nil, fmt.Errorf("encoding server.types: %w", err)
	}
	for _, overlay := range append(slices.Clone(overlays), hosted) {
		if len(overlay) == 0 {
			continue
		}
		if merged, err = jsonpatch.MergePatch(merged, overlay); err != nil {
			return nil, fmt.Errorf("merging values of chart %s: %w", c.Name, err)
		}
	}
	tree, err := jsonschema.UnmarshalJSON(strings.NewReader(string(merged)))
	if err != nil {
		return nil, fmt.Errorf("decoding values of chart %s: %w", c.Name, err)
	}
	values, is := tree.(map[string]any)
	if !is {
		return nil, fault("store.values is an object", "values of chart %s are no object", c.Name)
	}
	return values, nil
}

// Check holds values against the chart's schema: one line per fault, the place first.
func (c *Chart) Check(values map[string]any) []string {
	err := c.schema.Validate(values)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil
	}
	printer := message.NewPrinter(language.English)
	var lines []string
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			lines = append(lines, strings.Join(append([]string{"store.values"}, e.InstanceLocation...), ".")+" "+e.ErrorKind.LocalizedString(printer))
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(invalid)
	slices.Sort(lines)
	return slices.Compact(lines)
}
