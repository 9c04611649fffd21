package charttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// place is a place in a chart's values that accepts text.
type place struct {
	path string
	// with returns values that have a text at this place, and else the least that the schema demands.
	with func(text string) any
	// defined reports whether it is in a table with a schema of its own, such as the settings of a version of the store, which charts do not read.
	defined bool
	// harmless is a text that the place accepts.
	harmless string
}

// nameOf ends the path of a place that is a name in a table.
const nameOf = " (name)"

// placesIn returns all places of a values schema that accept text, those in lists and the names in tables of texts
// included, except those with a list of texts.
func placesIn(t *testing.T, schema []byte) []place {
	t.Helper()
	var root map[string]any
	require.NoError(t, json.Unmarshal(schema, &root))
	walker := walker{root: root}
	for _, helms := range []string{"global", "store-library"} { // Helm's own, for charts in charts
		delete(root["properties"].(map[string]any), helms)
	}
	walker.walk(root, "", false, func(value any) any { return value })
	return walker.found
}

type walker struct {
	root  map[string]any
	found []place
	depth int
	// defined is set within a reference.
	defined bool
}

// walk adds the places of a schema; wrap makes values of the chart from a value of this schema. A fresh table has no values of the chart's own.
func (w *walker) walk(schema map[string]any, path string, fresh bool, wrap func(any) any) {
	if _, refers := schema["$ref"]; refers && !w.defined {
		w.defined = true
		defer func() { w.defined = false }()
	}
	schema = w.resolve(schema)
	if w.depth++; w.depth > 20 {
		panic(path + ": the schema is recursive")
	}
	defer func() { w.depth-- }()
	if w.is(schema, "string") && schema["enum"] == nil && schema["const"] == nil {
		w.found = append(w.found, place{defined: w.defined, path: path, harmless: w.sample(schema).(string), with: func(text string) any { return wrap(text) }})
	}
	if w.is(schema, "array") {
		if items, ok := schema["items"].(map[string]any); ok {
			w.walk(items, path+"[]", true, func(value any) any { return wrap([]any{value}) })
		}
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		some, _ := schema[key].([]any)
		for _, one := range some {
			w.walk(one.(map[string]any), path, fresh, wrap)
		}
	}
	if !w.is(schema, "object") || schema["anyOf"] != nil || schema["oneOf"] != nil {
		return
	}
	in := func(name string) func(any) any {
		return func(value any) any {
			table := map[string]any{}
			if fresh {
				table = w.least(schema)
			}
			table[name] = value
			return wrap(table)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		w.walk(properties[name].(map[string]any), path+"."+name, fresh, in(name))
	}
	patterns, _ := schema["patternProperties"].(map[string]any)
	for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
		name := matching(pattern)
		w.walk(patterns[pattern].(map[string]any), path+"."+name, fresh, in(name))
	}
	switch others := schema["additionalProperties"].(type) {
	case map[string]any:
		names, _ := schema["propertyNames"].(map[string]any)
		w.walk(others, path+".*", true, in(w.sample(w.resolve(names)).(string)))
		w.found = append(w.found, place{defined: w.defined, path: path + nameOf, harmless: w.sample(names).(string), with: func(text string) any { return in(text)(w.sample(others)) }})
	case nil: // any table
		w.found = append(w.found, place{defined: w.defined, path: path + ".*", harmless: harmless, with: func(text string) any { return in(harmless)(text) }})
	}
}

func (w *walker) resolve(schema map[string]any) map[string]any {
	reference, ok := schema["$ref"].(string)
	if !ok {
		return schema
	}
	var node any = w.root
	for name := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
		node = node.(map[string]any)[name]
	}
	return w.resolve(node.(map[string]any))
}

// is reports whether a schema accepts values of a type. One without a type accepts all.
func (w *walker) is(schema map[string]any, name string) bool {
	switch types := schema["type"].(type) {
	case string:
		return types == name
	case []any:
		return slices.Contains(types, any(name))
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if some, ok := schema[key].([]any); ok {
			return slices.ContainsFunc(some, func(one any) bool { return w.is(w.resolve(one.(map[string]any)), name) })
		}
	}
	switch {
	case schema["properties"] != nil:
		return name == "object"
	case schema["enum"] != nil || schema["const"] != nil || schema["pattern"] != nil:
		return name == "string"
	}
	return true
}

const harmless = "harmless"

// sample returns a small value that the schema accepts.
func (w *walker) sample(schema map[string]any) any {
	schema = w.resolve(schema)
	if only, ok := schema["const"]; ok {
		return only
	}
	if some, ok := schema["enum"].([]any); ok {
		return some[0]
	}
	switch {
	case w.is(schema, "string"):
		if pattern, ok := schema["pattern"].(string); ok {
			return matching(pattern)
		}
		return harmless
	case w.is(schema, "object"):
		return w.least(schema)
	case w.is(schema, "array"):
		return []any{}
	case w.is(schema, "boolean"):
		return true
	}
	if least, ok := schema["minimum"]; ok {
		return least
	}
	return 1
}

// least returns a table with what the schema requires.
func (w *walker) least(schema map[string]any) map[string]any {
	table := map[string]any{}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		properties, _ := schema["properties"].(map[string]any)
		property, _ := properties[name.(string)].(map[string]any)
		table[name.(string)] = w.sample(property)
	}
	return table
}

// matching returns a short text that matches a regular expression, with the longest alternatives.
func matching(pattern string) string {
	expression, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return text(expression)
}

func text(expression *syntax.Regexp) string {
	switch expression.Op {
	case syntax.OpLiteral:
		return string(expression.Rune)
	case syntax.OpCharClass:
		for _, r := range "h0-/." {
			for i := 0; i+1 < len(expression.Rune); i += 2 {
				if expression.Rune[i] <= r && r <= expression.Rune[i+1] {
					return string(r)
				}
			}
		}
		return string(expression.Rune[0])
	case syntax.OpPlus, syntax.OpCapture, syntax.OpQuest:
		return text(expression.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(text(expression.Sub[0]), max(1, expression.Min))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "h"
	case syntax.OpConcat:
		var all strings.Builder
		for _, part := range expression.Sub {
			all.WriteString(text(part))
		}
		return all.String()
	case syntax.OpAlternate:
		longest := ""
		for _, part := range expression.Sub {
			if one := text(part); len(one) > len(longest) {
				longest = one
			}
		}
		return longest
	case syntax.OpStar, syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine:
		return ""
	}
	panic(fmt.Sprintf("no text for %s", expression))
}
