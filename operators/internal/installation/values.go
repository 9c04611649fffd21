package installation

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
)

// Values are the values of a chart, as Helm has them: tables, lists, strings, numbers, booleans and null.
type Values = map[string]any

// Layers are the values of one installation, in the order of their precedence: later ones win.
type Layers struct {
	// Defaults are Ringside's own for this kind of cluster. A value that the user set before wins over them.
	Defaults Values
	// Asked are the values that the user asks for now.
	Asked Values
	// Images are those of the images that were built. Nobody else can know them.
	Images Values
}

// Merge returns the values of an upgrade, and those of them that are Ringside's own. live are the values of the release,
// and ours those of them that Ringside set itself when it installed the release; both are empty for a new release. A
// value of live that differs from ours was set by the user, by Helm or by an earlier values file, and stays. A value that
// Ringside set and no longer sets disappears.
func Merge(live, ours Values, layers Layers) (merged, own Values) {
	own = Overlay(Overlay(nil, layers.Defaults), layers.Images)
	merged = Overlay(nil, layers.Defaults)
	for _, layer := range []Values{changed(live, ours), layers.Asked, layers.Images} {
		merged = Overlay(merged, layer)
	}
	return merged, own
}

// changed returns the values of live that are not in ours, or differ there.
func changed(live, ours Values) Values {
	out := Values{}
	for name, value := range live {
		before, known := ours[name]
		table, isTable := value.(Values)
		tableBefore, wasTable := before.(Values)
		switch {
		case isTable && wasTable:
			if inner := changed(table, tableBefore); len(inner) > 0 {
				out[name] = inner
			}
		case !known || !reflect.DeepEqual(value, before):
			out[name] = value
		}
	}
	return out
}

// Overlay returns base with the values of over: tables are merged, everything else is replaced. It changes neither.
func Overlay(base, over Values) Values {
	out := maps.Clone(base)
	if out == nil {
		out = Values{}
	}
	for name, value := range over {
		table, isTable := value.(Values)
		below, _ := out[name].(Values)
		if isTable {
			out[name] = Overlay(below, table)
		} else {
			out[name] = value
		}
	}
	return out
}

// normal returns values as Helm reads them from a release's record, so that equal values compare as equal.
func normal(values Values) (Values, error) {
	text, err := json.Marshal(values)
	if err != nil {
		return nil, fmt.Errorf("encode values: %w", err)
	}
	out := Values{}
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, fmt.Errorf("decode values: %w", err)
	}
	return out, nil
}

// At returns the value at a path, and nil if there is none.
func At(values Values, path ...string) any {
	var value any = values
	for _, name := range path {
		table, _ := value.(Values)
		value = table[name]
	}
	return value
}

// Set returns a table with one value at a path.
func Set(value any, path ...string) Values {
	for at := len(path) - 1; at >= 0; at-- {
		value = Values{path[at]: value}
	}
	table, _ := value.(Values)
	return table
}
