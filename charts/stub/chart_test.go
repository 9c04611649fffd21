package stub_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

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
