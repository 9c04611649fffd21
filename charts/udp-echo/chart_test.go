package udpecho_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
)

func TestKeepsTheContractOfStores(t *testing.T) {
	charttest.Store{Name: "udp-echo", TestPod: "echo", FirstPort: 9000, Protocol: corev1.ProtocolUDP}.HoldToContract(t)
}

func TestRefusesValuesThatMakeNoSense(t *testing.T) {
	charttest.Refuses(t, ".", map[string]struct{ Values, Says string }{
		"a server nobody knows":          {`server: {types: [netty]}`, "value must be one of 'disruptor-blocking'"},
		"a server twice":                 {`server: {types: [inline, inline]}`, "are equal"},
		"a handler nobody knows":         {`handler: lower-case`, "does not match pattern"},
		"CPU time without a unit":        {`handler: "cpu:50"`, "does not match pattern"},
		"no handler thread":              {`handlers: 0`, "minimum"},
		"a ring that is no power of two": {`slots: 1000`, "value must be one of"},
		"a value of another store":       {`replicationFactor: 3`, "additional properties 'replicationFactor' not allowed"},
		"the port of the probes":         {`metrics: {port: 8080}`, "metrics.port is 8080: the port is used by the probes; choose another port"},
		"the port of the metrics":        {`profile: {enabled: true, port: 9404}`, "profile.port is 9404: the port is used by metrics.port; choose another port"},
		"a port that the system has":     {`profile: {enabled: true, port: 80}`, "minimum"},
		"the port of the counters":       {`{port: 9404, server: {types: [inline, blocking]}}`, "port is 9404: server blocking would listen on UDP port 9405, which is used by counters.port; choose another port"},
	})
}

func TestTellsWhatItUsedWhereTheLoadCanAsk(t *testing.T) {
	objects := charttest.MustRender(t, ".", `counters: {port: 9500}`)
	container := charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0]
	assert.Contains(t, container.Ports, corev1.ContainerPort{Name: "counters", Protocol: corev1.ProtocolUDP, ContainerPort: 9500})
	assert.Equal(t, "9500", charttest.Environment(container)["RINGSIDE_COUNTERS_PORT"])
	var policy networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/trial", &policy)
	assert.Contains(t, policy.Spec.Ingress[0].Ports, networkingv1.NetworkPolicyPort{Port: ptr.To(intstr.FromString("counters")), Protocol: ptr.To(corev1.ProtocolUDP)})
}

func TestTellsTheServerHowToHandleDatagrams(t *testing.T) {
	env := charttest.Environment(charttest.StatefulSet(t, charttest.MustRender(t, ".", `{handler: "cpu:50us", handlers: 4, slots: 65536, receiveBuffer: 268435456}`)).Spec.Template.Spec.Containers[0])
	assert.Equal(t, "cpu:50us", env["RINGSIDE_HANDLER"])
	assert.Equal(t, "4", env["RINGSIDE_HANDLERS"])
	assert.Equal(t, "65536", env["RINGSIDE_SLOTS"])
	assert.Equal(t, "268435456", env["RINGSIDE_RECEIVE_BUFFER"], "and not as 2.68e+08")
}

func TestNamesTheClassOfEveryServer(t *testing.T) {
	var classes map[string]string
	require.NoError(t, yaml.Unmarshal([]byte(charttest.Load(t, ".").Metadata.Annotations["ringside.dev/server-classes"]), &classes))
	assert.ElementsMatch(t, charttest.ServerTypes(t, "."), slices.Collect(maps.Keys(classes)))
	assert.Len(t, slices.Compact(slices.Sorted(maps.Values(classes))), len(classes), "no two variants have one proof")
}
