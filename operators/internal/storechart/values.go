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

// JSON is a table of values as an Experiment holds it.
type JSON = apiextensionsv1.JSON

// Servers that a store is to host: of each type one, and instances beside them, named by type and more.
type Servers struct {
	Types     []string
	Instances []Instance
}

// Instance is a further server, and the options that it alone has.
type Instance struct {
	Name    string
	Options map[string]string
}

// Values lays a server's values over the store's, and the operator's own over both.
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

// owned values are the operator's: whatever an experiment says in their place has no effect.
func owned(servers Servers, images Images) map[string]any {
	types := make([]any, len(servers.Types))
	for i, name := range servers.Types {
		types[i] = name
	}
	hosted := map[string]any{"types": types}
	if len(servers.Instances) > 0 { // not every chart has them
		hosted["instances"] = instances(servers.Instances)
	}
	own := map[string]any{
		"server": hosted,
		"image":  map[string]any{"registry": images.Registry, "tag": images.Tag, "pullPolicy": images.PullPolicy},
	}
	if len(images.PullSecrets) > 0 { // a chart that others made may do without
		own["imagePullSecrets"] = references(images.PullSecrets)
	}
	for name, reference := range images.companions {
		own[name] = map[string]any{"image": reference}
	}
	return own
}

// Overridden is a value of an experiment that the operator's own takes the place of: its path and what was written there.
type Overridden struct{ Path, Written string }

// OverriddenBy the operator of an experiment's values, in order: what would be without effect, and is to be told before a run is believed. Instances
// are the operator's also where it asks for none.
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
		if !there || value == nil { // null takes out what nobody can
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

// references to objects by their names, as a pod's specification has them.
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
		options := map[string]any{}
		for name, value := range server.Options {
			options[name] = value
		}
		out[i] = map[string]any{"name": server.Name, "options": options}
	}
	return out
}

// overlay returns base with top laid over it, table by table.
func overlay(base, top map[string]any) map[string]any {
	merged := maps.Clone(base)
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

// Settings are the values a chart will see (its own defaults below the given ones), read for what the operator must know.
type Settings struct {
	values common.Values
}

// Settle lays values over the chart's defaults and checks them against its schema. The error is one line.
func (c *Chart) Settle(values map[string]any) (Settings, error) {
	merged, err := util.CoalesceValues(c.chart, values)
	if err != nil {
		return Settings{}, fmt.Errorf("merge values with the defaults of chart %s: %w", c.Name(), err)
	}
	if err := util.ValidateAgainstSchema(c.chart, merged); err != nil {
		faults := append([]string{oneLine(strings.TrimPrefix(err.Error(), c.Name()+":"))}, c.suggestions(merged)...)
		return Settings{}, fmt.Errorf("values do not fit chart %s: %s", c.Name(), strings.Join(faults, "; "))
	}
	return Settings{values: merged}, nil
}

// Nodes that the store wants, each its own; 0 where the chart has no such value.
func (s Settings) Nodes() int64 { return s.number("nodes") }

// ReplicationFactor of the store; 0 where the chart has none.
func (s Settings) ReplicationFactor() int64 { return s.number("replicationFactor") }

func (s Settings) number(key string) int64 {
	switch value := s.values[key].(type) {
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

// oneLine folds a schema error's lines, for a condition's message.
func oneLine(text string) string {
	var parts []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- ")); line != "" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, "; ")
}
