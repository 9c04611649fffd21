package loadgen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/problem"
)

// Fields of orders that every schema must speak of.
const (
	fieldOperation  = "operation"
	fieldParameters = "parameters"
)

const (
	// fieldServer is in the schema of a load that can drive only some servers.
	fieldServer = "server"
	// fieldRate is false in the schema of a load that cannot keep a constant rate.
	fieldRate = "targetRate"
)

// Load is a load's image.
type Load struct {
	name       string
	schema     *jsonschema.Schema
	parameters map[string]*jsonschema.Schema
	// named finds a parameter by its variable, in which a-b and a.b are one.
	named map[string]string
	// contents are the schemas of parameters that are documents.
	contents map[string]*jsonschema.Schema
	// ordered are pairs of parameters of which the first is at most the second.
	ordered [][2]string
}

// Orders are the orders of a load, as far as they do not depend on the cluster. What is not ordered is empty.
type Orders struct {
	Operation   string
	Consistency string
	// Rate orders a constant rate.
	Rate bool
	// Connections is set if there are more than threads; Interleave is a mode, Capacity a percentile.
	Connections int32
	Interleave  string
	Capacity    string
	// Queue orders a capacity search by the store's queue.
	Queue bool
	// Recovery orders a load during which the store is killed.
	Recovery bool
	// Failover orders a load during which nodes of the store are lost.
	Failover   bool
	Parameters map[string]string
}

func newLoad(name string, text []byte) (*Load, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("load %s cannot be used: its %s is not valid JSON: %w", name, schemaFile, err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.RegisterContentMediaType(yamlContent)
	compiler.AssertContent()
	if err := compiler.AddResource(schemaFile, document); err != nil {
		return nil, fmt.Errorf("load %s cannot be used: read its %s: %w", name, schemaFile, err)
	}
	schema, err := compiler.Compile(schemaFile)
	if err != nil {
		return nil, fmt.Errorf("load %s cannot be used: its %s is not a valid schema: %w", name, schemaFile, err)
	}
	load := &Load{name: name, schema: schema, named: map[string]string{}, contents: map[string]*jsonschema.Schema{}}
	parameters := schema.Properties[fieldParameters]
	if schema.Properties[fieldOperation] == nil || schema.AdditionalProperties != false || parameters == nil || parameters.AdditionalProperties != false {
		return nil, fmt.Errorf("load %s cannot be used: its %s must have %s and %s, and allow nothing else", name, schemaFile, fieldOperation, fieldParameters)
	}
	load.parameters = parameters.Properties
	for parameter, schema := range load.parameters {
		load.named[orders.ParamName(parameter)] = parameter
		if schema.ContentSchema != nil { // checked apart, because the validator's errors lose the place of the parameter
			load.contents[parameter] = schema.ContentSchema
			schema.ContentMediaType, schema.ContentSchema = nil, nil
		}
	}
	var beside struct {
		Properties struct{ Parameters struct{ Ordered [][2]string } }
	}
	if err := json.Unmarshal(text, &beside); err != nil {
		return nil, fmt.Errorf("load %s cannot be used: read what is ordered in its %s: %w", name, schemaFile, err)
	}
	load.ordered = beside.Properties.Parameters.Ordered
	return load, nil
}

// Parameters returns the load's parameters in order.
func (l *Load) Parameters() []string { return slices.Sorted(maps.Keys(l.parameters)) }

// Servers returns the server types that the load can drive with an operation; nil if it does not limit them.
func (l *Load) Servers(operation string) []string {
	schema := l.schema.Properties[fieldServer]
	if schema == nil || schema.Enum == nil {
		return nil
	}
	var names []string
	for _, name := range schema.Enum.Values {
		var invalid *jsonschema.ValidationError
		err := l.schema.Validate(map[string]any{fieldOperation: operation, fieldServer: name, fieldParameters: map[string]any{}})
		if errors.As(err, &invalid) && slices.ContainsFunc(leaves(invalid), func(leaf *jsonschema.ValidationError) bool {
			return slices.Equal(leaf.InstanceLocation, []string{fieldServer})
		}) {
			continue
		}
		names = append(names, fmt.Sprint(name))
	}
	return names
}

// Check returns what the load would reject, in order.
func (l *Load) Check(asked Orders) []problem.Problem {
	instance := l.instance(asked)
	found := l.contentRejections(asked)
	var invalid *jsonschema.ValidationError
	if errors.As(l.schema.Validate(instance), &invalid) {
		for _, leaf := range leaves(invalid) {
			found = append(found, l.refusals(leaf, asked)...)
		}
	} else {
		found = append(found, l.disordered(instance[fieldParameters].(map[string]any))...)
	}
	slices.SortFunc(found, func(a, b problem.Problem) int { return strings.Compare(a.What, b.What) })
	return slices.Compact(found)
}

// disordered returns pairs whose first value is greater than the second, which a JSON schema cannot express.
func (l *Load) disordered(parameters map[string]any) []problem.Problem {
	var found []problem.Problem
	for _, pair := range l.ordered {
		low, isNumber := parameters[pair[0]].(int64)
		high, areNumbers := parameters[pair[1]].(int64)
		if isNumber && areNumbers && low > high {
			found = append(found, problem.Problem{What: fmt.Sprintf("load %s does not accept %s %d with %s %d", l.name, pair[0], low, pair[1], high), Fix: "swap them"})
		}
	}
	return found
}

// instance returns an instance of the schema, with parameters converted from text to the schema's types.
func (l *Load) instance(asked Orders) map[string]any {
	parameters := map[string]any{}
	for name, text := range asked.Parameters {
		text = strings.TrimSpace(text)
		known, there := l.named[orders.ParamName(name)]
		switch {
		case !there:
			parameters[name] = text
		case text != "": // a blank value is not set
			parameters[known] = typed(l.parameters[known], text)
		}
	}
	instance := map[string]any{fieldOperation: asked.Operation, fieldParameters: parameters}
	if asked.Consistency != "" {
		instance["consistency"] = asked.Consistency
	}
	if asked.Rate && l.schema.Properties[fieldRate] != nil {
		instance[fieldRate] = true
	}
	if asked.Connections > 0 {
		instance["connections"] = asked.Connections
	}
	if asked.Interleave != "" {
		instance["interleave"] = asked.Interleave
	}
	if asked.Capacity != "" {
		instance["capacity"] = asked.Capacity
	}
	if asked.Queue {
		instance["queue"] = true
	}
	if asked.Recovery {
		instance["recovery"] = true
	}
	if asked.Failover {
		instance["failover"] = true
	}
	return instance
}

// typed returns the text as a number if the schema expects one and it is one.
func typed(schema *jsonschema.Schema, text string) any {
	switch {
	case has(schema, "integer"):
		if number, err := strconv.ParseInt(text, 10, 64); err == nil {
			return number
		}
	case has(schema, "number"):
		if json.Valid([]byte(text)) {
			return json.Number(text)
		}
	}
	return text
}

func has(schema *jsonschema.Schema, kind string) bool {
	return schema.Types != nil && slices.Contains(schema.Types.ToStrings(), kind)
}

// leaves returns the errors themselves, without their groups.
func leaves(err *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(err.Causes) == 0 {
		return []*jsonschema.ValidationError{err}
	}
	var found []*jsonschema.ValidationError
	for _, cause := range err.Causes {
		found = append(found, leaves(cause)...)
	}
	return found
}
