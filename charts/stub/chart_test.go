package stub_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestKeepsTheContractOfStores(t *testing.T) {
	charttest.Store{Name: "stub", TestPod: "write-read", FirstPort: 9090}.HoldToContract(t)
}

func TestRefusesValuesThatMakeNoSense(t *testing.T) {
	charttest.Refuses(t, ".", map[string]struct{ Values, Says string }{
		"a server nobody knows":        {`server: {types: [netty]}`, "value must be one of 'simple'"},
		"no server":                    {`server: {types: []}`, "minItems"},
		"no pod":                       {`nodes: 0`, "minimum"},
		"no worker":                    {`workers: 0`, "minimum"},
		"a handler nobody knows":       {`handler: sleep`, "does not match pattern"},
		"a sleep without a unit":       {`handler: "sleep:100"`, "does not match pattern"},
		"a value of another store":     {`replicationFactor: 3`, "additional properties 'replicationFactor' not allowed"},
		"options with a variable":      {`jvmOptions: ["-Dx=$(POD_IP)"]`, "does not match pattern"},
		"a heap that Java cannot take": {`heap: {max: 1Gi}`, "does not match pattern"},
	})
}

func TestTellsTheStubHowToHandleRequests(t *testing.T) {
	objects := charttest.MustRender(t, ".", `{handler: "sleep:100ms", workers: 32, selectors: 4}`)
	env := charttest.Environment(charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0])
	assert.Equal(t, "sleep:100ms", env["RINGSIDE_HANDLER"])
	assert.Equal(t, "32", env["RINGSIDE_WORKERS"])
	assert.Equal(t, "4", env["RINGSIDE_SELECTORS"])
}

func TestRefusesPortsThatCollide(t *testing.T) {
	for values, says := range map[string]string{
		`{port: 8080}`:                           "port is 8080: server disruptor would listen on port 8080, which is used by the probes",
		`{port: 9404}`:                           "port 9404, which is used by metrics.port",
		`{metrics: {enabled: true, port: 8080}}`: "metrics.port is 8080: the port is used by the probes",
		`{profile: {enabled: true, port: 8080}}`: "profile.port is 8080: the port is used by the probes",
		`{port: 9406}`:                           "port 9406, which is used by profile.port",
	} {
		_, err := charttest.Render(t, ".", values)
		assert.ErrorContains(t, err, says)
	}
}

func TestLeavesTheExporterOutWhenAsked(t *testing.T) {
	objects := charttest.MustRender(t, ".", `metrics: {enabled: false, port: 9404}`)
	assert.NotContains(t, objects, "ConfigMap/trial")
	pod := charttest.StatefulSet(t, objects).Spec.Template
	assert.NotContains(t, pod.Labels, v1beta1.LabelScrape)
	for _, argument := range pod.Spec.Containers[0].Command {
		assert.NotContains(t, argument, "javaagent")
	}
}

// Charts cannot share files, so the rules exist twice. This test requires that both are equal.
func TestExportsTheServersMetricsByTheRulesOfTheCassandraChart(t *testing.T) {
	type exporter struct {
		Rules []map[string]any `json:"rules"`
	}
	var ours, theirs exporter
	for path, into := range map[string]*exporter{"jmx.yaml": &ours, "../cassandra/jmx.yaml": &theirs} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(text, into))
	}
	require.NotEmpty(t, ours.Rules)
	assert.Subset(t, theirs.Rules, ours.Rules)
}
