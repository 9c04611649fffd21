package httpstore_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

const everyServer = `server: {types: [arrayqueue, linkedqueue, synchronous, forkjoin, virtual, disruptor, inline]}`

func TestPassesHelmsLinter(t *testing.T) {
	assert.Empty(t, charttest.Lint(t, "."))
}

func TestRefusesValuesThatMakeNoSense(t *testing.T) {
	for name, test := range map[string]struct{ values, says string }{
		"a server nobody knows":        {`server: {types: [netty]}`, "value must be one of 'arrayqueue'"},
		"no server":                    {`server: {types: []}`, "minItems"},
		"no pod":                       {`nodes: 0`, "minimum"},
		"no worker":                    {`workers: 0`, "minimum"},
		"no room to wait":              {`queue: 0`, "minimum"},
		"a flush of nothing":           {`lsm: {flushMiB: 0}`, "minimum"},
		"a sync nobody knows":          {`lsm: {sync: sometimes}`, "value must be one of 'always'"},
		"a value of another store":     {`replicationFactor: 3`, "additional properties 'replicationFactor' not allowed"},
		"an instance of no type":       {`server: {instances: [{name: netty-2}]}`, "does not match pattern"},
		"an instance without workers":  {`server: {instances: [{name: inline-2, options: {workers: "0"}}]}`, "does not match pattern"},
		"an option nobody knows":       {`server: {instances: [{name: inline-2, options: {color: red}}]}`, "additional properties 'color' not allowed"},
		"one name for two servers":     {`server: {instances: [{name: inline-2}, {name: inline-2, options: {workers: "3"}}]}`, "server.instances names a server twice"},
		"a misspelt value":             {`lsm: {blooms: true}`, "additional properties 'blooms' not allowed"},
		"options with a variable":      {`jvmOptions: ["-Dx=$(POD_IP)"]`, "does not match pattern"},
		"a heap that Java cannot take": {`heap: {max: 1Gi}`, "does not match pattern"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := charttest.Render(t, ".", test.values)
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.says)
		})
	}
}

func TestHostsEveryServerOnAPortOfItsOwn(t *testing.T) {
	objects := charttest.MustRender(t, ".", everyServer)
	container := store(t, objects).Spec.Template.Spec.Containers[0]
	seen := map[int32]bool{}
	for _, kind := range serverTypes(t) {
		var service corev1.Service
		objects.Get(t, "Service/trial-"+kind, &service)
		assert.Equal(t, kind, service.Labels[v1alpha1.LabelServer])
		assert.Equal(t, corev1.ClusterIPNone, service.Spec.ClusterIP)
		assert.False(t, service.Spec.PublishNotReadyAddresses, "load must go to pods that are ready")
		require.Len(t, service.Spec.Ports, 1)
		port := service.Spec.Ports[0]
		assert.Equal(t, v1alpha1.ServerPortName, port.Name)
		assert.False(t, seen[port.Port])
		seen[port.Port] = true
		assert.Contains(t, container.Ports, corev1.ContainerPort{Name: port.TargetPort.StrVal, ContainerPort: port.Port})
	}
	assert.Equal(t, "arrayqueue:8080,linkedqueue:8081,synchronous:8082,forkjoin:8083,virtual:8084,disruptor:8085,inline:8086",
		environment(container)["RINGSIDE_SERVERS"])
}

func TestHostsFurtherServersOfATypeWithOptionsOfTheirOwn(t *testing.T) {
	objects := charttest.MustRender(t, ".", `server: {types: [arrayqueue], instances: [{name: arrayqueue-256, options: {workers: "256"}}, {name: inline-again}]}`)
	container := store(t, objects).Spec.Template.Spec.Containers[0]
	env := environment(container)
	assert.Equal(t, "arrayqueue:8080,arrayqueue-256:8081,inline-again:8082", env["RINGSIDE_SERVERS"])
	assert.Equal(t, "256", env["RINGSIDE_ARRAYQUEUE_256_WORKERS"])
	assert.Equal(t, "16", env["RINGSIDE_WORKERS"])
	for i, name := range []string{"arrayqueue", "arrayqueue-256", "inline-again"} {
		var service corev1.Service
		objects.Get(t, "Service/trial-"+name, &service)
		assert.Equal(t, name, service.Labels[v1alpha1.LabelServer])
		assert.EqualValues(t, 8080+i, service.Spec.Ports[0].Port)
		assert.Contains(t, container.Ports, corev1.ContainerPort{Name: service.Spec.Ports[0].TargetPort.StrVal, ContainerPort: service.Spec.Ports[0].Port})
	}
}

func TestTellsTheStoreHowToServeAndToKeep(t *testing.T) {
	objects := charttest.MustRender(t, ".", `{workers: 256, queue: 1048576, selectors: 4, lsm: {flushMiB: 64, bloom: true, compaction: false, sync: always}}`)
	env := environment(store(t, objects).Spec.Template.Spec.Containers[0])
	for name, value := range map[string]string{
		"WORKERS": "256", "QUEUE": "1048576", "SELECTORS": "4", "FLUSH_MIB": "64", "BLOOM": "true", "COMPACTION": "false",
		"COMPACT_FROM": "8", "SYNC": "always", "SYNC_MS": "100",
	} {
		assert.Equal(t, value, env["RINGSIDE_"+name], name)
	}
}

func TestKeepsItsDataOnVolumesOfTheClassAskedFor(t *testing.T) {
	set := store(t, charttest.MustRender(t, ".", ""))
	require.Len(t, set.Spec.VolumeClaimTemplates, 1)
	claim := set.Spec.VolumeClaimTemplates[0]
	assert.Equal(t, "local-ssd", *claim.Spec.StorageClassName)
	assert.Equal(t, "10Gi", claim.Spec.Resources.Requests.Storage().String())
	assert.Equal(t, charttest.Release, claim.Labels["app.kubernetes.io/instance"], "the operator removes what carries it")
	assert.Equal(t, "ssd", set.Spec.Template.Spec.NodeSelector["ringside.dev/disk"])
	container := set.Spec.Template.Spec.Containers[0]
	var mounted string
	for _, mount := range container.VolumeMounts {
		if mount.Name == claim.Name {
			mounted = mount.MountPath
		}
	}
	require.NotEmpty(t, mounted)
	assert.Equal(t, mounted, filepath.Dir(environment(container)["RINGSIDE_DATA"]))

	elsewhere := store(t, charttest.MustRender(t, ".", `storage: {className: "", disk: ""}`))
	assert.Nil(t, elsewhere.Spec.VolumeClaimTemplates[0].Spec.StorageClassName, "the cluster's default")
	assert.Empty(t, elsewhere.Spec.Template.Spec.NodeSelector)
}

func TestLabelsEverything(t *testing.T) {
	for key, object := range charttest.MustRender(t, ".", everyServer) {
		labels := object.GetLabels()
		assert.Equal(t, "http-store", labels["app.kubernetes.io/name"], key)
		assert.Equal(t, charttest.Release, labels["app.kubernetes.io/instance"], key)
		assert.NotEmpty(t, labels["app.kubernetes.io/version"], key)
		assert.Equal(t, "ringside", labels["app.kubernetes.io/part-of"], key)
		assert.Equal(t, "Helm", labels["app.kubernetes.io/managed-by"], key)
		assert.NotEmpty(t, labels["app.kubernetes.io/component"], key)
	}
	set := store(t, charttest.MustRender(t, ".", ""))
	assert.Equal(t, v1alpha1.StoreComponent, set.Spec.Template.Labels["app.kubernetes.io/component"])
	assert.Equal(t, "true", set.Spec.Template.Labels[v1alpha1.LabelScrape])
}

func TestRunsWithoutAnyRight(t *testing.T) {
	objects := charttest.MustRender(t, ".", "")
	var test corev1.Pod
	objects.Get(t, "Pod/trial-write-read", &test)
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
	pod := store(t, charttest.MustRender(t, ".", `{podSecurityContext: {runAsUser: 0, runAsGroup: 0, fsGroup: 0}, topologyKey: topology.kubernetes.io/zone}`)).Spec.Template
	assert.Nil(t, pod.Spec.SecurityContext.RunAsUser)
	assert.Nil(t, pod.Spec.SecurityContext.RunAsGroup)
	assert.Nil(t, pod.Spec.SecurityContext.FSGroup)
	assert.True(t, *pod.Spec.SecurityContext.RunAsNonRoot)
	assert.Equal(t, "topology.kubernetes.io/zone", pod.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].TopologyKey)
	assert.NotContains(t, pod.Labels, "helm.sh/chart", "a new chart's version starts no pod anew")
}

func TestRefusesPortsThatCollide(t *testing.T) {
	for values, says := range map[string]string{
		`{port: 8079}`:                           "the server arrayqueue would listen on port 8079, which is that of the probes",
		`{port: 9404}`:                           "port 9404, which is that of metrics.port",
		`{metrics: {enabled: true, port: 8079}}`: "metrics.port 8079 is that of the probes",
	} {
		_, err := charttest.Render(t, ".", values)
		assert.ErrorContains(t, err, says)
	}
}

func TestOnlyTheLoadAndPrometheusMayConnect(t *testing.T) {
	objects := charttest.MustRender(t, ".", "")
	var policy networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/trial", &policy)
	assert.Subset(t, store(t, objects).Spec.Template.Labels, policy.Spec.PodSelector.MatchLabels)
	require.Len(t, policy.Spec.Ingress, 2)
	assert.Equal(t, v1alpha1.LabelMeasurement, policy.Spec.Ingress[0].From[0].PodSelector.MatchExpressions[0].Key)
	assert.Equal(t, "prometheus", policy.Spec.Ingress[1].From[0].PodSelector.MatchLabels["app.kubernetes.io/component"])
	assert.Equal(t, "prometheus", policy.Spec.Ingress[1].From[1].PodSelector.MatchLabels["app.kubernetes.io/name"], "the label of a Prometheus that its operator made")
	assert.Empty(t, policy.Spec.Egress)

	assert.NotContains(t, charttest.MustRender(t, ".", `networkPolicy: {enabled: false}`), "NetworkPolicy/trial")
}

func TestLeavesTheMetricsOutWhenAsked(t *testing.T) {
	pod := store(t, charttest.MustRender(t, ".", `metrics: {enabled: false, port: 9404}`)).Spec.Template
	assert.NotContains(t, pod.Labels, v1alpha1.LabelScrape)
	assert.Equal(t, "0", environment(pod.Spec.Containers[0])["RINGSIDE_METRICS_PORT"])
	for _, port := range pod.Spec.Containers[0].Ports {
		assert.NotEqual(t, "metrics", port.Name)
	}
}

func TestTellsItsCountersToTheLoad(t *testing.T) {
	objects := charttest.MustRender(t, ".", "")
	container := store(t, objects).Spec.Template.Spec.Containers[0]
	assert.Contains(t, container.Ports, corev1.ContainerPort{Name: "counters", ContainerPort: 9405, Protocol: corev1.ProtocolUDP})
	assert.Equal(t, "9405", environment(container)["RINGSIDE_COUNTERS_PORT"])
	var policy networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/trial", &policy)
	ports := policy.Spec.Ingress[0].Ports
	assert.Equal(t, "counters", ports[len(ports)-1].Port.StrVal)
	assert.Equal(t, corev1.ProtocolUDP, *ports[len(ports)-1].Protocol)

	without := store(t, charttest.MustRender(t, ".", `counters: {enabled: false, port: 9405}`)).Spec.Template.Spec.Containers[0]
	assert.Equal(t, "0", environment(without)["RINGSIDE_COUNTERS_PORT"])
	for _, port := range without.Ports {
		assert.NotEqual(t, "counters", port.Name)
	}
}

func TestNamesTheClassOfEveryServer(t *testing.T) {
	chart := charttest.Load(t, ".")
	var classes map[string]string
	require.NoError(t, yaml.Unmarshal([]byte(chart.Metadata.Annotations["ringside.dev/server-classes"]), &classes))
	assert.ElementsMatch(t, serverTypes(t), slices.Collect(maps.Keys(classes)))
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
