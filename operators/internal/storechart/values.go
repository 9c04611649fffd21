package storechart

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// JSON is a table of values as an Experiment stores it.
type JSON = apiextensionsv1.JSON

// Servers are the servers of a store: one of each type, and further instances.
type Servers struct {
	Types     []string
	Instances []Instance
}

// Instance is a further server, with its own options.
type Instance struct {
	Name    string
	Options map[string]string
}

// Values overlays the store's values with the server's, and both with the operator's own.
func Values(store, server *JSON, servers Servers, images Images) (map[string]any, error) {
	values := map[string]any{}
	for _, layer := range []*JSON{store, server} {
		if layer == nil || len(layer.Raw) == 0 {
			continue
		}
		var table map[string]any
		if err := json.Unmarshal(layer.Raw, &table); err != nil {
			return nil, fmt.Errorf("values must be a table: %w", err)
		}
		values = overlay(values, table)
	}
	return overlay(values, owned(servers, images)), nil
}

// owned returns the operator's own values, which override those of an experiment.
func owned(servers Servers, images Images) map[string]any {
	types := make([]any, len(servers.Types))
	for i, name := range servers.Types {
		types[i] = name
	}
	hosted := map[string]any{"types": types}
	if len(servers.Instances) > 0 { // not every chart supports them
		hosted["instances"] = instances(servers.Instances)
	}
	own := map[string]any{"server": hosted}
	if images.foreign {
		return own
	}
	own["image"] = map[string]any{"registry": images.Registry, "tag": images.Tag, "pullPolicy": images.PullPolicy}
	if len(images.PullSecrets) > 0 { // a third-party chart may not have this value
		own["imagePullSecrets"] = references(images.PullSecrets)
	}
	for name, reference := range images.companions {
		own[name] = map[string]any{"image": reference}
	}
	return own
}

// Overridden is a value of an experiment that the operator overrides: its path and the ineffective value.
type Overridden struct{ Path, Written string }

// OverriddenBy returns the values of an experiment that the operator overrides, sorted, to report them before the run. Instances count as
// the operator's even if the run has none.
func OverriddenBy(layer *JSON, images Images) ([]Overridden, error) {
	if layer == nil || len(layer.Raw) == 0 {
		return nil, nil
	}
	var table map[string]any
	if err := json.Unmarshal(layer.Raw, &table); err != nil {
		return nil, fmt.Errorf("values must be a table: %w", err)
	}
	return overridden(table, owned(Servers{Instances: []Instance{{}}}, images), ""), nil
}

func overridden(values, own map[string]any, path string) []Overridden {
	var found []Overridden
	for _, key := range slices.Sorted(maps.Keys(own)) {
		value, there := values[key]
		if !there || value == nil { // null removes a value, which has no effect here
			continue
		}
		deeper, isTable := own[key].(map[string]any)
		table, wasTable := value.(map[string]any)
		if isTable && wasTable {
			found = append(found, overridden(table, deeper, path+key+".")...)
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			text = fmt.Append(nil, value)
		}
		found = append(found, Overridden{Path: path + key, Written: string(text)})
	}
	return found
}

// references returns references to objects by name, as in a pod's spec.
func references(names []string) []any {
	out := make([]any, len(names))
	for i, name := range names {
		out[i] = map[string]any{"name": name}
	}
	return out
}

func instances(servers []Instance) []any {
	out := make([]any, len(servers))
	for i, server := range servers {
		instance := map[string]any{"name": server.Name}
		if len(server.Options) > 0 { // a chart may have instances without options
			options := map[string]any{}
			for name, value := range server.Options {
				options[name] = value
			}
			instance["options"] = options
		}
		out[i] = instance
	}
	return out
}

// overlay returns base with the values of top, merged table by table.
func overlay(base, top map[string]any) map[string]any {
	merged := maps.Clone(base)
	if merged == nil {
		merged = map[string]any{}
	}
	for key, value := range top {
		upper, isTable := value.(map[string]any)
		lower, wasTable := merged[key].(map[string]any)
		if isTable && wasTable {
			merged[key] = overlay(lower, upper)
		} else {
			merged[key] = value
		}
	}
	return merged
}

// Settings holds the values that a chart receives, with its own defaults, and returns those that the operator needs.
type Settings struct {
	values common.Values
}

// Settle merges values with the chart's defaults and checks them against its schema. The error is one line.
func (c *Chart) Settle(values map[string]any) (Settings, error) {
	merged, err := util.CoalesceValues(c.chart, values)
	if err != nil {
		return Settings{}, fmt.Errorf("merge values with the defaults of chart %s: %w", c.Name(), err)
	}
	if err := util.ValidateAgainstSchema(c.chart, merged); err != nil {
		faults := append([]string{c.byExample(joinLines(strings.TrimPrefix(err.Error(), c.Name()+":")))}, c.suggestions(merged)...)
		return Settings{}, fmt.Errorf("values do not fit chart %s: %s", c.Name(), strings.Join(faults, "; "))
	}
	return Settings{values: merged}, nil
}

// Nodes returns the number of store nodes; 0 if the chart has no such value.
func (s Settings) Nodes() int64 { return s.Number("nodes") }

// ReplicationFactor returns the store's replication factor; 0 if the chart has none.
func (s Settings) ReplicationFactor() int64 { return s.Number("replicationFactor") }

// Number returns the number at a path of values; 0 if there is none.
func (s Settings) Number(path string) int64 {
	switch value := valueAt(strings.Split(path, "."), map[string]any(s.values)).(type) {
	case float64:
		return int64(value)
	case int64:
		return value
	case int:
		return int64(value)
	case json.Number:
		number, _ := value.Int64()
		return number
	}
	return 0
}

// joinLines joins the lines of a schema error, for the message of a condition.
func joinLines(text string) string {
	var parts []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- ")); line != "" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, "; ")
}
