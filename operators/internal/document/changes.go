package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Change is a field with two values; an empty one is not set.
type Change struct{ Field, From, To string }

// String describes the change.
func (c Change) String() string {
	switch {
	case c.From == "":
		return c.Field + ": " + c.To
	case c.To == "":
		return c.Field + ": not set instead of " + c.From
	}
	return c.Field + ": " + c.To + " instead of " + c.From
}

// Changes returns the fields that differ between two states of a document, in the order of their paths, as --set writes them.
func Changes(before, after []byte) ([]Change, error) {
	var from, to any
	for text, into := range map[*[]byte]*any{&before: &from, &after: &to} {
		if err := utiljson.Unmarshal(*text, into); err != nil {
			return nil, fmt.Errorf("decoding an experiment: %w", err)
		}
	}
	return changes(from, to, ""), nil
}

func changes(from, to any, at string) []Change {
	below, above := children(from), children(to)
	if below == nil && above == nil {
		if change := (Change{Field: at, From: text(from), To: text(to)}); change.From != change.To {
			return []Change{change}
		}
		return nil
	}
	keys := maps.Clone(below)
	if keys == nil {
		keys = map[string]any{}
	}
	maps.Copy(keys, above)
	var out []Change
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		out = append(out, changes(below[key], above[key], join(at, key))...)
	}
	return out
}

// children returns the parts of a table, or the elements of a list by name; nil if the value has none.
func children(value any) map[string]any {
	switch value := value.(type) {
	case map[string]any:
		if len(value) > 0 {
			return value
		}
	case []any:
		if named(value) {
			byName := map[string]any{}
			for _, element := range value {
				byName[nameOf(element)] = element
			}
			return byName
		}
	}
	return nil
}

func text(value any) string {
	if value == nil {
		return ""
	}
	if plain, is := value.(string); is && plain != "" {
		return plain
	}
	encoded, _ := json.Marshal(value) // decoded from JSON
	return string(encoded)
}
