package loadimage

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"ringside.dev/ringside/operators/internal/meter/orders"
)

// Refusal is what a load does not take, and what it does.
type Refusal struct {
	What, Mend string
	// Parameter that is refused, as it was asked for; empty where it is something else.
	Parameter string
}

// refusals of one fault that the schema found.
func (l *Load) refusals(fault *jsonschema.ValidationError, asked Orders) []Refusal {
	inParameters := len(fault.InstanceLocation) > 0 && fault.InstanceLocation[0] == fieldParameters
	if extra, ok := fault.ErrorKind.(*kind.AdditionalProperties); ok {
		var found []Refusal
		for _, name := range extra.Properties {
			if inParameters {
				found = append(found, Refusal{What: fmt.Sprintf("load %s knows no parameter %s", l.name, name), Mend: "choose from " + strings.Join(l.Parameters(), ", "), Parameter: name})
				continue
			}
			found = append(found, Refusal{What: fmt.Sprintf("load %s can do nothing with %s", l.name, name), Mend: "leave it out, or choose another load"})
		}
		return found
	}
	if len(fault.InstanceLocation) == 0 {
		return []Refusal{{What: fmt.Sprintf("load %s refuses it: %s", l.name, fault.Error())}}
	}
	name := fault.InstanceLocation[len(fault.InstanceLocation)-1]
	if !inParameters {
		return []Refusal{{What: fmt.Sprintf("load %s knows no %s %q", l.name, name, fmt.Sprint(l.instance(asked)[name])), Mend: "give " + taken(l.schema.Properties[name])}}
	}
	for parameter, text := range asked.Parameters {
		if l.named[orders.ParamName(parameter)] == name {
			return []Refusal{{What: fmt.Sprintf("load %s takes no %s of %q", l.name, parameter, text), Mend: "give " + taken(l.parameters[name]), Parameter: parameter}}
		}
	}
	return []Refusal{{What: fmt.Sprintf("load %s refuses its parameters: %s", l.name, fault.Error())}}
}

// taken says what a schema takes.
func taken(schema *jsonschema.Schema) string {
	switch {
	case schema == nil:
		return "another"
	case schema.Enum != nil:
		values := make([]string, len(schema.Enum.Values))
		for i, value := range schema.Enum.Values {
			values[i] = fmt.Sprint(value)
		}
		return "one of " + strings.Join(values, ", ")
	case has(schema, "integer"):
		return "a whole number" + bounds(schema)
	case has(schema, "number"):
		return "a number" + bounds(schema)
	case len(schema.Examples) > 0:
		return fmt.Sprintf("text as in %v", schema.Examples[0])
	case schema.Pattern != nil:
		return "text that matches " + schema.Pattern.String()
	}
	return "text"
}

func bounds(schema *jsonschema.Schema) string {
	switch low, high := schema.Minimum, schema.Maximum; {
	case low != nil && high != nil:
		return fmt.Sprintf(" from %s to %s", decimal(low), decimal(high))
	case low != nil:
		return fmt.Sprintf(" from %s on", decimal(low))
	case high != nil:
		return fmt.Sprintf(" up to %s", decimal(high))
	}
	return ""
}

func decimal(number *big.Rat) string {
	value, _ := number.Float64()
	return strconv.FormatFloat(value, 'f', -1, 64)
}
