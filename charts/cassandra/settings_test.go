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

func TestRejectsSettingsThatCassandraWouldReject(t *testing.T) {
	charttest.Refuses(t, ".", map[string]struct{ Values, Says string }{
		"4.1's name":                      {`cassandra: {compaction_throughput: 64MiB/s}`, "at '/cassandra': additional properties 'compaction_throughput' not allowed"},
		"a misspelt name":                 {`cassandra: {concurent_reads: 64}`, "at '/cassandra': additional properties 'concurent_reads' not allowed"},
		"text for a number":               {`cassandra: {concurrent_reads: "64"}`, "at '/cassandra/concurrent_reads': got string, want integer"},
		"a number that Java has not":      {`cassandra: {concurrent_reads: 3000000000}`, "at '/cassandra/concurrent_reads': maximum"},
		"a frame that overflows":          {`cassandra: {thrift_framed_transport_size_in_mb: 2048}`, "at '/cassandra/thrift_framed_transport_size_in_mb': maximum"},
		"a word that the setting has not": {`cassandra: {memtable_allocation_type: offheap}`, "value must be one of 'unslabbed_heap_buffers'"},
		"a member that the class has not": {`cassandra: {client_encryption_options: {enable: true}}`, "additional properties 'enable' not allowed"},
		"a class without its name":        {`cassandra: {hints_compression: [{parameters: []}]}`, "missing property 'class_name'"},
		"a folder":                        {`cassandra: {commitlog_directory: /tmp}`, "cassandra.commitlog_directory is set by the chart: the data volume is /var/lib/cassandra; remove it from the values"},
		"an address":                      {`cassandra: {listen_address: 127.0.0.1}`, "cassandra.listen_address is set by the chart: it is that of the pod; remove it from the values"},
		"a value that has one of its own": {`cassandra: {rpc_port: 9170}`, "cassandra.rpc_port is set by the chart: it is rpc.port; remove it from the values"},
	})
}

func TestTakesTheSettingsOfCassandra(t *testing.T) {
	settings := configuration(t, `cassandra: {concurrent_reads: 64, memtable_allocation_type: offheap_objects, phi_convict_threshold: 8.5, trickle_fsync: true,
  native_transport_max_concurrent_connections: 4000000000, hints_compression: [{class_name: LZ4Compressor}], hinted_handoff_disabled_datacenters: [dc1]}`)
	assert.EqualValues(t, 4000000000, settings["native_transport_max_concurrent_connections"])
	assert.EqualValues(t, 8.5, settings["phi_convict_threshold"])
}

// ringside-node replaces ${POD_IP} and similar names by values, but nothing in the users' text.
func TestADollarSignReachesTheNode(t *testing.T) {
	settings := configuration(t, `cassandra: {authenticator: "a$b${POD_IP}"}`)
	assert.Equal(t, "a$$b$${POD_IP}", settings["authenticator"])
	assert.Equal(t, "${POD_IP}", settings["listen_address"])
}

func TestRejectsOptionsWithWhichTheJVMWouldNotRunAsAsked(t *testing.T) {
	charttest.Refuses(t, ".", map[string]struct{ Values, Says string }{
		"two collectors":          {`extraJvmOptions: ["-XX:+UseG1GC"]`, "extraJvmOptions has -XX:+UseG1GC and jvmOptions has -XX:+UseConcMarkSweepGC: a JVM with two garbage collectors does not start; to use another one, replace the list in jvmOptions"},
		"two in the list":         {`jvmOptions: ["-XX:+UseParallelGC", "-XX:+UseG1GC"]`, "jvmOptions has -XX:+UseG1GC and jvmOptions has -XX:+UseParallelGC"},
		"another heap":            {`extraJvmOptions: ["-Xmx2G"]`, "extraJvmOptions has -Xmx2G: the chart sets the heap from heap.max (1200M) and heap.young (300M); set those"},
		"another heap by flag":    {`jvmOptions: ["-XX:MaxNewSize=1G"]`, "jvmOptions has -XX:MaxNewSize=1G: the chart sets the heap from heap.max"},
		"a heap beyond its limit": {`heap: {max: 100G, young: 300M}`, "heap.max is 100G: it must be smaller than resources.limits.memory (3Gi), or the node is killed; lower heap.max or raise the limit"},
		"a heap of all its limit": {`heap: {max: 3G, young: 300M}`, "heap.max is 3G: it must be smaller than resources.limits.memory (3Gi)"},
		"a young part beyond all": {`heap: {max: 300M, young: 1G}`, "heap.young is 1G: it must be smaller than heap.max (300M); lower heap.young or raise heap.max"},
		"a limit that is none":    {`resources: {limits: {memory: 3GB}}`, "resources.limits.memory is 3GB: it is not a quantity; write one such as 3Gi"},
		"the node's own property": {`extraJvmOptions: ["-Dcassandra.config=file:///tmp/a.yaml"]`, "extraJvmOptions has -Dcassandra.config=file:///tmp/a.yaml: the chart sets cassandra.config; remove it"},
		"a setting by the way":    {`jvmOptions: ["-Dcassandra.rpc_port=9"]`, "the chart sets cassandra.rpc_port; remove it"},
	})
}

func TestTakesOneCollector(t *testing.T) {
	for _, values := range []string{
		`jvmOptions: [-ea, -XX:+UseG1GC, -XX:MaxGCPauseMillis=300, -XX:+ParallelRefProcEnabled]`,
		`extraJvmOptions: [-XX:-UseConcMarkSweepGC, -XX:-UseParNewGC, -XX:+UseG1GC]`, // the last of two takes effect
		`jvmOptions: [-XX:+UseParallelGC, -XX:+UseParallelOldGC]`,
		`{heap: {max: 8G, young: 800M}, resources: {limits: {memory: "1.2e10"}}}`,
		`{heap: {max: 8G, young: 800M}, resources: {limits: {memory: 12000000000}}}`,
		`{heap: {max: 8G, young: 800M}, resources: {limits: {memory: null}}}`,
	} {
		_, err := charttest.Render(t, ".", values)
		assert.NoError(t, err, values)
	}
}

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
