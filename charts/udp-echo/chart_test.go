package udpecho_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
	"ringside.dev/ringside/operators/api/v1alpha1"
)

const everyServer = `server: {types: [disruptor-blocking, disruptor-sleeping, disruptor-yielding, disruptor-busyspin, blocking, executor, socket-per-thread, inline]}`

func TestPassesHelmsLinter(t *testing.T) {
	assert.Empty(t, charttest.Lint(t, "."))
}

func TestRefusesValuesThatMakeNoSense(t *testing.T) {
	for name, test := range map[string]struct{ values, says string }{
		"a server nobody knows":          {`server: {types: [netty]}`, "value must be one of 'disruptor-blocking'"},
		"a server twice":                 {`server: {types: [inline, inline]}`, "are equal"},
		"a handler nobody knows":         {`handler: lower-case`, "does not match pattern"},
		"CPU time without a unit":        {`handler: "cpu:50"`, "does not match pattern"},
		"no handler thread":              {`handlers: 0`, "minimum"},
		"a ring that is no power of two": {`slots: 1000`, "value must be one of"},
		"a value of another store":       {`replicationFactor: 3`, "additional properties 'replicationFactor' not allowed"},
		"the port of the probes":         {`metrics: {port: 8080}`, "metrics.port 8080 is that of the probes: choose another"},
		"the port of the counters":       {`{port: 9404, server: {types: [inline, blocking]}}`, "the server blocking would listen on UDP port 9405, which is that of counters.port"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := charttest.Render(t, ".", test.values)
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.says)
		})
	}
}

func TestHostsEveryServerOnAUDPPortOfItsOwn(t *testing.T) {
	objects := charttest.MustRender(t, ".", everyServer)
	container := store(t, objects).Spec.Template.Spec.Containers[0]
	names := map[string]bool{}
	for _, port := range container.Ports {
		assert.False(t, names[port.Name], "%s twice", port.Name)
		assert.LessOrEqual(t, len(port.Name), 15)
		names[port.Name] = true
	}
	for i, kind := range serverTypes(t) {
		var service corev1.Service
		objects.Get(t, "Service/trial-"+kind, &service)
		assert.Equal(t, kind, service.Labels[v1alpha1.LabelServer])
		assert.Equal(t, corev1.ClusterIPNone, service.Spec.ClusterIP)
		assert.False(t, service.Spec.PublishNotReadyAddresses, "load must go to pods that are ready")
		require.Len(t, service.Spec.Ports, 1)
		port := service.Spec.Ports[0]
		assert.Equal(t, v1alpha1.ServerPortName, port.Name)
		assert.Equal(t, corev1.ProtocolUDP, port.Protocol)
		assert.Equal(t, int32(9000+i), port.Port)
		assert.Contains(t, container.Ports, corev1.ContainerPort{Name: port.TargetPort.StrVal, Protocol: corev1.ProtocolUDP, ContainerPort: port.Port})
	}
	assert.True(t, strings.HasPrefix(environment(container)["RINGSIDE_SERVERS"], "disruptor-blocking:9000,disruptor-sleeping:9001,"))
}

func TestTellsWhatItUsedWhereTheLoadCanAsk(t *testing.T) {
	objects := charttest.MustRender(t, ".", `counters: {port: 9500}`)
	container := store(t, objects).Spec.Template.Spec.Containers[0]
	assert.Contains(t, container.Ports, corev1.ContainerPort{Name: "counters", Protocol: corev1.ProtocolUDP, ContainerPort: 9500})
	assert.Equal(t, "9500", environment(container)["RINGSIDE_COUNTERS_PORT"])
	var policy networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/trial", &policy)
	last := policy.Spec.Ingress[0].Ports[len(policy.Spec.Ingress[0].Ports)-1]
	assert.Equal(t, "counters", last.Port.StrVal)
}

func TestTellsTheServerHowToHandleDatagrams(t *testing.T) {
	env := environment(store(t, charttest.MustRender(t, ".", `{handler: "cpu:50us", handlers: 4, slots: 65536, receiveBuffer: 268435456}`)).Spec.Template.Spec.Containers[0])
	assert.Equal(t, "cpu:50us", env["RINGSIDE_HANDLER"])
	assert.Equal(t, "4", env["RINGSIDE_HANDLERS"])
	assert.Equal(t, "65536", env["RINGSIDE_SLOTS"])
	assert.Equal(t, "268435456", env["RINGSIDE_RECEIVE_BUFFER"], "and not as 2.68e+08")
}

func TestLabelsEverything(t *testing.T) {
	for key, object := range charttest.MustRender(t, ".", everyServer) {
		labels := object.GetLabels()
		assert.Equal(t, "udp-echo", labels["app.kubernetes.io/name"], key)
		assert.Equal(t, charttest.Release, labels["app.kubernetes.io/instance"], key)
		assert.NotEmpty(t, labels["app.kubernetes.io/version"], key)
		assert.Equal(t, "ringside", labels["app.kubernetes.io/part-of"], key)
		assert.Equal(t, "Helm", labels["app.kubernetes.io/managed-by"], key)
		assert.NotEmpty(t, labels["app.kubernetes.io/component"], key)
	}
	set := store(t, charttest.MustRender(t, ".", ""))
	assert.Equal(t, v1alpha1.StoreComponent, set.Spec.Template.Labels["app.kubernetes.io/component"])
	assert.Equal(t, "true", set.Spec.Template.Labels[v1alpha1.LabelScrape])
	assert.NotContains(t, set.Spec.Template.Labels, "helm.sh/chart", "a new chart's version starts no pod anew")
}

func TestRunsWithoutAnyRight(t *testing.T) {
	objects := charttest.MustRender(t, ".", "")
	var test corev1.Pod
	objects.Get(t, "Pod/trial-echo", &test)
	assert.Equal(t, []string{"check", "trial-disruptor-sleeping:9000"}, test.Spec.Containers[0].Args)
	for name, pod := range map[string]corev1.PodSpec{"store": store(t, objects).Spec.Template.Spec, "test": test.Spec} {
		assert.False(t, *pod.AutomountServiceAccountToken, name)
		assert.True(t, *pod.SecurityContext.RunAsNonRoot, name)
		assert.NotZero(t, *pod.SecurityContext.RunAsUser, name)
		assert.Equal(t, corev1.SeccompProfileTypeRuntimeDefault, pod.SecurityContext.SeccompProfile.Type, name)
		for _, container := range pod.Containers {
			assert.False(t, *container.SecurityContext.AllowPrivilegeEscalation, name)
			assert.True(t, *container.SecurityContext.ReadOnlyRootFilesystem, name)
			assert.Equal(t, []corev1.Capability{"ALL"}, container.SecurityContext.Capabilities.Drop, name)
		}
	}
}

func TestLeavesIdsAndPlacesToTheCluster(t *testing.T) {
	pod := store(t, charttest.MustRender(t, ".", `{podSecurityContext: {runAsUser: 0, runAsGroup: 0}, topologyKey: topology.kubernetes.io/zone}`)).Spec.Template
	assert.Nil(t, pod.Spec.SecurityContext.RunAsUser)
	assert.Nil(t, pod.Spec.SecurityContext.RunAsGroup)
	assert.Equal(t, "topology.kubernetes.io/zone", pod.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].TopologyKey)
}

func TestOnlyTheLoadAndPrometheusMayConnect(t *testing.T) {
	objects := charttest.MustRender(t, ".", "")
	var policy networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/trial", &policy)
	assert.Subset(t, store(t, objects).Spec.Template.Labels, policy.Spec.PodSelector.MatchLabels)
	require.Len(t, policy.Spec.Ingress, 2)
	assert.Equal(t, v1alpha1.LabelMeasurement, policy.Spec.Ingress[0].From[0].PodSelector.MatchExpressions[0].Key)
	for _, port := range policy.Spec.Ingress[0].Ports {
		require.NotNil(t, port.Protocol, "a port without a protocol is TCP's")
		assert.Equal(t, corev1.ProtocolUDP, *port.Protocol)
	}
	assert.Equal(t, "prometheus", policy.Spec.Ingress[1].From[0].PodSelector.MatchLabels["app.kubernetes.io/component"])
	assert.Empty(t, policy.Spec.Egress)
	assert.Contains(t, policy.Spec.PolicyTypes, networkingv1.PolicyTypeEgress)

	assert.NotContains(t, charttest.MustRender(t, ".", `networkPolicy: {enabled: false}`), "NetworkPolicy/trial")
}

func TestNamesTheClassOfEveryServer(t *testing.T) {
	var classes map[string]string
	require.NoError(t, yaml.Unmarshal([]byte(charttest.Load(t, ".").Metadata.Annotations["ringside.dev/server-classes"]), &classes))
	assert.ElementsMatch(t, serverTypes(t), slices.Collect(maps.Keys(classes)))
	assert.Len(t, slices.Compact(slices.Sorted(maps.Values(classes))), len(classes), "no two variants have one proof")
}

func store(t *testing.T, objects charttest.Objects) appsv1.StatefulSet {
	t.Helper()
	var set appsv1.StatefulSet
	objects.Get(t, "StatefulSet/trial", &set)
	return set
}

func environment(container corev1.Container) map[string]string {
	values := map[string]string{}
	for _, variable := range container.Env {
		values[variable.Name] = variable.Value
	}
	return values
}

// serverTypes are those that the schema allows.
func serverTypes(t *testing.T) []string {
	t.Helper()
	var schema struct {
		Properties struct {
			Server struct {
				Properties struct {
					Types struct {
						Items struct {
							Enum []string `json:"enum"`
						} `json:"items"`
					} `json:"types"`
				} `json:"properties"`
			} `json:"server"`
		} `json:"properties"`
	}
	text, err := os.ReadFile("values.schema.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &schema))
	return schema.Properties.Server.Properties.Types.Items.Enum
}
