package loadgen

import (
	"encoding/csv"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const images = "../../../images"

// tried is one line of a load's orders.csv, on which the load itself is tried, too, by a test of its own.
type tried struct {
	order, value string
	taken        bool
}

func TestTheSchemaOfALoadTakesWhatTheLoadTakes(t *testing.T) {
	catalogue := NewCatalogue(images)
	names, err := catalogue.Loads()
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			load, err := catalogue.Open(name)
			require.NoError(t, err)
			cases := casesOf(t, name)
			for _, c := range cases {
				assert.Equal(t, c.taken, len(load.Check(ordersWith(load, c))) == 0, "%s=%s", c.order, c.value)
			}
			for parameter, schema := range load.parameters {
				requireBoundsTried(t, parameter, schema, cases)
			}
			for _, field := range []string{"operation", "consistency"} {
				if schema := load.schema.Properties[field]; schema != nil {
					requireBoundsTried(t, field, schema, cases)
				}
			}
		})
	}
}

func casesOf(t *testing.T, load string) []tried {
	t.Helper()
	file, err := os.Open(filepath.Join(images, load, "orders.csv"))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	lines, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"order", "value", "taken"}, lines[0])
	var cases []tried
	for _, line := range lines[1:] {
		taken, err := strconv.ParseBool(line[2])
		require.NoError(t, err)
		cases = append(cases, tried{line[0], line[1], taken})
	}
	return cases
}

func ordersWith(load *Load, c tried) Orders {
	asked := Orders{Operation: load.schema.Properties[fieldOperation].Enum.Values[0].(string)}
	switch c.order {
	case "operation":
		asked.Operation = c.value
	case "consistency":
		asked.Consistency = c.value
	default:
		asked.Parameters = map[string]string{c.order: c.value}
	}
	return asked
}

// requireBoundsTried: a limit of the schema that nobody tries on the load could be another than the load's.
func requireBoundsTried(t *testing.T, order string, schema *jsonschema.Schema, cases []tried) {
	t.Helper()
	requireCase := func(value string, taken bool) {
		assert.True(t, slices.Contains(cases, tried{order, value, taken}), "orders.csv lacks %s,%s,%v", order, value, taken)
	}
	if schema.Enum != nil {
		for _, value := range schema.Enum.Values {
			requireCase(value.(string), true)
		}
	}
	if schema.Minimum != nil {
		requireCase(decimal(schema.Minimum), true)
	}
	if schema.Maximum != nil {
		requireCase(decimal(schema.Maximum), true)
	}
	for _, taken := range []bool{true, false} {
		assert.True(t, slices.ContainsFunc(cases, func(c tried) bool { return c.order == order && c.taken == taken }), "orders.csv has no %s that is taken: %v", order, taken)
	}
	if !has(schema, "integer") {
		return
	}
	one := big.NewRat(1, 1)
	if schema.Minimum != nil {
		requireCase(decimal(new(big.Rat).Sub(schema.Minimum, one)), false)
	}
	if schema.Maximum != nil {
		requireCase(decimal(new(big.Rat).Add(schema.Maximum, one)), false)
	}
}
