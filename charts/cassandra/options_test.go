package cassandra_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
)

// The plugin's own tests compare the names in the schema, where they occur twice, with those that the plugin reads
// (ChartSchemaTest).
func TestAnInstancesOptionsReachThePluginByTheNamesThatTheSchemaTakes(t *testing.T) {
	properties := schemaOf(t).Properties
	instance := properties["server"].Properties["instances"].Items.Properties
	patterns := slices.Collect(maps.Keys(properties["serverEnvironment"].PatternProperties))
	require.Len(t, patterns, 1)
	environment := regexp.MustCompile(patterns[0])
	list := regexp.MustCompile(`\(([A-Z_|]+)\)\$$`).FindStringSubmatch(patterns[0])
	require.NotNil(t, list, patterns[0])
	read := strings.Split(list[1], "|")
	require.Greater(t, len(read), 10)
	for _, option := range read {
		assert.Regexp(t, environment, "RINGSIDE_"+option)
		for _, name := range charttest.ServerTypes(t, ".") {
			if name == "native" { // Cassandra's own, without options of the plugin
				continue
			}
			assert.Regexp(t, environment, "RINGSIDE_"+strings.ToUpper(name)+"_"+option)
			assert.Regexp(t, instance["name"].Pattern, name+"-again")
		}
	}
	// In the format of the template.
	options := map[string]string{}
	for option := range instance["options"].Properties {
		options[option] = "1"
	}
	values, err := yaml.Marshal(map[string]any{"server": map[string]any{
		"types": []string{"hsha"}, "instances": []any{map[string]any{"name": "hsha-again", "options": options}},
	}})
	require.NoError(t, err)
	container := charttest.StatefulSet(t, charttest.MustRender(t, ".", string(values))).Spec.Template.Spec.Containers[0]
	var written []string
	for name := range charttest.Environment(container) {
		if option, ours := strings.CutPrefix(name, "RINGSIDE_HSHA_AGAIN_"); ours {
			written = append(written, option)
		}
	}
	assert.ElementsMatch(t, read, written)
}

// schema has the parts of values.schema.json that the tests read.
type schema struct {
	Properties, PatternProperties map[string]schema
	Items                         *schema
	Pattern                       string
}

func schemaOf(t *testing.T) schema {
	t.Helper()
	var read schema
	require.NoError(t, json.Unmarshal(charttest.Load(t, ".").Schema, &read))
	return read
}
