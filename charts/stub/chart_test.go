package stub_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
)

func TestKeepsTheContractOfStores(t *testing.T) {
	charttest.Store{Name: "stub", TestPod: "write-read", FirstPort: 9090}.HoldToContract(t)
}

func TestRefusesValuesThatMakeNoSense(t *testing.T) {
	charttest.Refuses(t, ".", map[string]struct{ Values, Says string }{
		"no worker":                {`workers: 0`, "minimum"},
		"a handler nobody knows":   {`handler: sleep`, "does not match pattern"},
		"a sleep without a unit":   {`handler: "sleep:100"`, "does not match pattern"},
		"a value of another store": {`replicationFactor: 3`, "additional properties 'replicationFactor' not allowed"},
	})
}

func TestTellsTheStubHowToHandleRequests(t *testing.T) {
	objects := charttest.MustRender(t, ".", `{handler: "sleep:100ms", workers: 32, selectors: 4}`)
	env := charttest.Environment(charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0])
	assert.Equal(t, "sleep:100ms", env["RINGSIDE_HANDLER"])
	assert.Equal(t, "32", env["RINGSIDE_WORKERS"])
	assert.Equal(t, "4", env["RINGSIDE_SELECTORS"])
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
