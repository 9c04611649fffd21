package loadimage

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
)

// Fields of orders that every schema must speak of.
const (
	fieldOperation  = "operation"
	fieldParameters = "parameters"
)

// Load is a load's image.
type Load struct {
	name       string
	schema     *jsonschema.Schema
	parameters map[string]*jsonschema.Schema
	// named finds a parameter by its variable, in which a-b and a.b are one.
	named map[string]string
	// ordered are pairs of parameters of which the first is at most the second.
	ordered [][2]string
}

// Orders are what a load is asked to do, as far as that does not depend on the cluster. What is not asked for is empty.
type Orders struct {
	Operation   string
	Consistency string
	// Connections where there are more than threads, Interleave a mode, Capacity a percentile.
	Connections int32
	Interleave  string
	Capacity    string
	// Queue says that a capacity is searched for by the store's queue.
	Queue bool
	// Recovery says that the store is killed under the load.
	Recovery bool
	// Failover says that nodes of the store are lost under the load.
	Failover   bool
	Parameters map[string]string
}

func newLoad(name string, text []byte) (*Load, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("load %s cannot be used: its %s is no JSON: %w", name, schemaFile, err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schemaFile, document); err != nil {
		return nil, fmt.Errorf("load %s cannot be used: read its %s: %w", name, schemaFile, err)
	}
	schema, err := compiler.Compile(schemaFile)
	if err != nil {
		return nil, fmt.Errorf("load %s cannot be used: its %s is no schema: %w", name, schemaFile, err)
	}
	load := &Load{name: name, schema: schema, named: map[string]string{}}
	parameters := schema.Properties[fieldParameters]
	if schema.Properties[fieldOperation] == nil || schema.AdditionalProperties != false || parameters == nil || parameters.AdditionalProperties != false {
		return nil, fmt.Errorf("load %s cannot be used: its %s must have %s and %s, and allow nothing else", name, schemaFile, fieldOperation, fieldParameters)
	}
	load.parameters = parameters.Properties
	for parameter := range load.parameters {
		load.named[orders.ParamName(parameter)] = parameter
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

// Parameters that the load knows, in order.
func (l *Load) Parameters() []string { return slices.Sorted(maps.Keys(l.parameters)) }

// Check finds what the load would refuse, in order.
func (l *Load) Check(asked Orders) []Refusal {
	instance := l.instance(asked)
	err := l.schema.Validate(instance)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return l.disordered(instance[fieldParameters].(map[string]any))
	}
	var found []Refusal
	for _, leaf := range leaves(invalid) {
		found = append(found, l.refusals(leaf, asked)...)
	}
	slices.SortFunc(found, func(a, b Refusal) int { return strings.Compare(a.What, b.What) })
	return slices.Compact(found)
}

// disordered finds pairs of which the first is more than the second, which no schema of JSON can say.
func (l *Load) disordered(parameters map[string]any) []Refusal {
	var found []Refusal
	for _, pair := range l.ordered {
		low, isNumber := parameters[pair[0]].(int64)
		high, areNumbers := parameters[pair[1]].(int64)
		if isNumber && areNumbers && low > high {
			found = append(found, Refusal{What: fmt.Sprintf("load %s takes no %s of %d beside a %s of %d", l.name, pair[0], low, pair[1], high), Mend: "give the smaller one first"})
		}
	}
	return found
}

// instance of the schema: parameters, which are text, as what the schema says they are.
func (l *Load) instance(asked Orders) map[string]any {
	parameters := map[string]any{}
	for name, text := range asked.Parameters {
		text = strings.TrimSpace(text)
		known, there := l.named[orders.ParamName(name)]
		switch {
		case !there:
			parameters[name] = text
		case text != "": // what is blank is not said
			parameters[known] = typed(l.parameters[known], text)
		}
	}
	instance := map[string]any{fieldOperation: asked.Operation, fieldParameters: parameters}
	if asked.Consistency != "" {
		instance["consistency"] = asked.Consistency
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

// typed is the text as a number where the schema wants one and it is one.
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

// leaves are the faults themselves, without the groups that they stand in.
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
