package loadgen

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/problem"
)

// refusals returns the refusals of one error of the schema.
func (l *Load) refusals(fault *jsonschema.ValidationError, asked Orders) []problem.Problem {
	inParameters := len(fault.InstanceLocation) > 0 && fault.InstanceLocation[0] == fieldParameters
	if extra, ok := fault.ErrorKind.(*kind.AdditionalProperties); ok {
		var found []problem.Problem
		for _, name := range extra.Properties {
			if inParameters {
				found = append(found, problem.Problem{What: fmt.Sprintf("load %s has no parameter %s", l.name, name), Fix: "choose from " + strings.Join(l.Parameters(), ", "), Parameter: name})
				continue
			}
			found = append(found, l.unsupported(name))
		}
		return found
	}
	if len(fault.InstanceLocation) == 0 {
		return []problem.Problem{{What: fmt.Sprintf("load %s rejects it: %s", l.name, fault.Error())}}
	}
	name := fault.InstanceLocation[len(fault.InstanceLocation)-1]
	if _, ok := fault.ErrorKind.(*kind.FalseSchema); ok {
		return []problem.Problem{l.unsupported(name)}
	}
	if !inParameters {
		return []problem.Problem{{What: fmt.Sprintf("load %s has no %s %q", l.name, name, fmt.Sprint(l.instance(asked)[name])), Fix: taken(l.schema.Properties[name])}}
	}
	for parameter, text := range asked.Parameters {
		if l.named[orders.ParamName(parameter)] == name {
			return []problem.Problem{{What: fmt.Sprintf("load %s does not accept %s %q", l.name, parameter, text), Fix: taken(l.parameters[name]), Parameter: parameter}}
		}
	}
	return []problem.Problem{{What: fmt.Sprintf("load %s rejects its parameters: %s", l.name, fault.Error())}}
}

func (l *Load) unsupported(field string) problem.Problem {
	return problem.Problem{What: fmt.Sprintf("load %s does not support %s", l.name, field), Fix: "remove it, or choose another load"}
}

// taken describes what to use for a schema.
func taken(schema *jsonschema.Schema) string {
	switch {
	case schema == nil:
		return "use another"
	case schema.Enum != nil:
		values := make([]string, len(schema.Enum.Values))
		for i, value := range schema.Enum.Values {
			values[i] = fmt.Sprint(value)
		}
		return "choose from " + strings.Join(values, ", ")
	case has(schema, "integer"):
		return "use a whole number" + bounds(schema)
	case has(schema, "number"):
		return "use a number" + bounds(schema)
	case has(schema, "object"):
		return "use 'name: value' lines"
	case has(schema, "array"):
		return "use a list"
	case len(schema.Examples) > 0:
		return fmt.Sprintf("use text as in %v", schema.Examples[0])
	case schema.Pattern != nil:
		return "use text that matches " + schema.Pattern.String()
	}
	return "use text"
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
