package loadgen

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v3"

	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/problem"
)

// maxShown is how much of a text a problem shows.
const maxShown = 60

// yamlContent is the media type of a parameter that is a YAML document, with a contentSchema in the schema of orders.
var yamlContent = &jsonschema.MediaType{Name: "application/yaml", UnmarshalJSON: func(text []byte) (any, error) {
	_, values, err := document(text)
	return values, err
}}

// contentRejections returns what the load would reject in parameters that are documents.
func (l *Load) contentRejections(asked Orders) []problem.Problem {
	var found []problem.Problem
	for parameter, text := range asked.Parameters {
		schema := l.contents[l.named[orders.ParamName(parameter)]]
		text = strings.TrimSpace(text)
		if schema == nil || text == "" {
			continue
		}
		for _, wrong := range contentProblems(text, schema) {
			found = append(found, problem.Problem{What: fmt.Sprintf("load %s does not accept %s: %s", l.name, parameter, wrong.what), Fix: wrong.fix, Parameter: parameter})
		}
	}
	return found
}

// document reads a YAML document: its nodes, which have lines, and its values.
func document(text []byte) (*yaml.Node, any, error) {
	var whole yaml.Node
	if err := yaml.Unmarshal(text, &whole); err != nil {
		return nil, nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(whole.Content) == 0 {
		return nil, nil, errors.New("line 1: there is no content")
	}
	values, err := textsOf(whole.Content[0])
	return whole.Content[0], values, err
}

// textsOf returns the values of a document. All scalars are text, because loads read them so.
func textsOf(node *yaml.Node) (any, error) {
	switch node.Kind {
	case yaml.MappingNode:
		table := map[string]any{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i]
			if _, twice := table[key.Value]; twice {
				return nil, fmt.Errorf("line %d: %s is there twice", key.Line, key.Value)
			}
			value, err := textsOf(node.Content[i+1])
			if err != nil {
				return nil, err
			}
			table[key.Value] = value
		}
		return table, nil
	case yaml.SequenceNode:
		list := []any{}
		for _, entry := range node.Content {
			value, err := textsOf(entry)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.ScalarNode:
		return node.Value, nil
	}
	return nil, fmt.Errorf("line %d: *%s is an alias, which is not supported", node.Line, node.Value) // it may contain itself
}

// contentProblem is a problem of a document, with its line, and what to do.
type contentProblem struct{ what, fix string }

func contentProblems(text string, schema *jsonschema.Schema) []contentProblem {
	root, values, err := document([]byte(text))
	if err != nil {
		return []contentProblem{{what: err.Error(), fix: "fix its YAML"}}
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(schema.Validate(values), &invalid) {
		return nil
	}
	var found []contentProblem
	for _, leaf := range leaves(invalid) {
		found = append(found, contentProblemsAt(root, schema, leaf)...)
	}
	return found
}

func contentProblemsAt(root *yaml.Node, schema *jsonschema.Schema, fault *jsonschema.ValidationError) []contentProblem {
	node, path := root, ""
	for _, name := range fault.InstanceLocation {
		if node.Kind == yaml.SequenceNode {
			path += "[" + name + "]"
		} else {
			path += "." + name
		}
		node = within(node, name)
		schema = schemaWithin(schema, name)
	}
	schema = resolved(schema)
	path = strings.TrimPrefix(path, ".")
	var found []contentProblem
	switch wrong := fault.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		for _, name := range wrong.Properties {
			found = append(found, contentProblem{fmt.Sprintf("line %d: %s is not supported", within(node, name).Line, strings.TrimPrefix(path+"."+name, ".")), choices(schema)})
		}
	case *kind.Required:
		for _, name := range wrong.Missing {
			found = append(found, contentProblem{fmt.Sprintf("line %d: %s is missing", node.Line, strings.TrimPrefix(path+"."+name, ".")), "add it"})
		}
	default:
		if path == "" {
			path = "it"
		}
		found = append(found, contentProblem{fmt.Sprintf("line %d: %s is %s", node.Line, path, shown(node)), taken(schema)})
	}
	return found
}

// choices describes the names that a table accepts.
func choices(table *jsonschema.Schema) string {
	switch {
	case table == nil:
		return "remove it"
	case len(table.Properties) == 0:
		return "use names that match " + strings.Join(patterns(table), " or ")
	}
	return "choose from " + strings.Join(slices.Sorted(maps.Keys(table.Properties)), ", ")
}

func patterns(table *jsonschema.Schema) []string {
	var found []string
	for pattern := range table.PatternProperties {
		found = append(found, pattern.String())
	}
	slices.Sort(found)
	return found
}

func shown(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a table"
	case yaml.SequenceNode:
		return "a list"
	}
	if text := []rune(node.Value); len(text) > maxShown {
		return strconv.Quote(string(text[:maxShown])) + "…"
	}
	return strconv.Quote(node.Value)
}

// within returns the node at a key of a mapping, or at an index of a sequence; the node itself if there is none.
func within(node *yaml.Node, name string) *yaml.Node {
	if index, err := strconv.Atoi(name); err == nil && node.Kind == yaml.SequenceNode && index < len(node.Content) {
		return node.Content[index]
	}
	for i := 0; i+1 < len(node.Content) && node.Kind == yaml.MappingNode; i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i+1]
		}
	}
	return node
}

// schemaWithin returns the schema of an entry of a table or a list; nil if the schema does not know it.
func schemaWithin(schema *jsonschema.Schema, name string) *jsonschema.Schema {
	schema = resolved(schema)
	if schema == nil {
		return nil
	}
	if property := schema.Properties[name]; property != nil {
		return property
	}
	for pattern, property := range schema.PatternProperties {
		if pattern.MatchString(name) {
			return property
		}
	}
	return schema.Items2020
}

func resolved(schema *jsonschema.Schema) *jsonschema.Schema {
	for schema != nil && schema.Ref != nil {
		schema = schema.Ref
	}
	return schema
}
