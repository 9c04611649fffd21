package udpecho_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
)

func TestKeepsTheContractOfStores(t *testing.T) {
	charttest.Store{Name: "udp-echo", TestPod: "echo", FirstPort: 9000, Protocol: corev1.ProtocolUDP}.HoldToContract(t)
}

func TestRefusesValuesThatMakeNoSense(t *testing.T) {
	charttest.Refuses(t, ".", map[string]struct{ Values, Says string }{
		"a handler nobody knows":         {`handler: lower-case`, "does not match pattern"},
		"CPU time without a unit":        {`handler: "cpu:50"`, "does not match pattern"},
		"no handler thread":              {`handlers: 0`, "minimum"},
		"a ring that is no power of two": {`slots: 1000`, "value must be one of"},
		"a value of another store":       {`replicationFactor: 3`, "additional properties 'replicationFactor' not allowed"},
		"the port of the counters":       {`{port: 9404, server: {types: [inline, blocking]}}`, "port is 9404: server blocking would listen on UDP port 9405, which is used by counters.port; choose another port"},
	})
}

func TestTellsTheServerHowToHandleDatagrams(t *testing.T) {
	env := charttest.Environment(charttest.StatefulSet(t, charttest.MustRender(t, ".", `{handler: "cpu:50us", handlers: 4, slots: 65536, receiveBuffer: 268435456}`)).Spec.Template.Spec.Containers[0])
	assert.Equal(t, "cpu:50us", env["RINGSIDE_HANDLER"])
	assert.Equal(t, "4", env["RINGSIDE_HANDLERS"])
	assert.Equal(t, "65536", env["RINGSIDE_SLOTS"])
	assert.Equal(t, "268435456", env["RINGSIDE_RECEIVE_BUFFER"], "and not as 2.68e+08")
}

func TestNoTwoServersHaveOneProof(t *testing.T) {
	var classes map[string]string
	require.NoError(t, yaml.Unmarshal([]byte(charttest.Load(t, ".").Metadata.Annotations["ringside.dev/server-classes"]), &classes))
	assert.Len(t, slices.Compact(slices.Sorted(maps.Values(classes))), len(classes))
}
