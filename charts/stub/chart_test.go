package stub_test

import (
	"encoding/json"
	"maps"
	"os"
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

const everyServer = `server: {types: [simple, nonblocking, hsha, threadedselector, threadpool, xedin, disruptor]}`

func TestPassesHelmsLinter(t *testing.T) {
	assert.Empty(t, charttest.Lint(t, "."))
}

func TestRefusesValuesThatMakeNoSense(t *testing.T) {
	for name, test := range map[string]struct{ values, says string }{
		"a server nobody knows":        {`server: {types: [netty]}`, "value must be one of 'simple'"},
		"no server":                    {`server: {types: []}`, "minItems"},
		"no pod":                       {`nodes: 0`, "minimum"},
		"no worker":                    {`workers: 0`, "minimum"},
		"a handler nobody knows":       {`handler: sleep`, "does not match pattern"},
		"a sleep without a unit":       {`handler: "sleep:100"`, "does not match pattern"},
		"a value of another store":     {`replicationFactor: 3`, "additional properties 'replicationFactor' not allowed"},
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
	assert.Equal(t, "simple:9090,nonblocking:9091,hsha:9092,threadedselector:9093,threadpool:9094,xedin:9095,disruptor:9096",
		environment(container)["RINGSIDE_SERVERS"])
}

func TestTellsTheStubHowToHandleRequests(t *testing.T) {
	objects := charttest.MustRender(t, ".", `{handler: "sleep:100ms", workers: 32, selectors: 4}`)
	env := environment(store(t, objects).Spec.Template.Spec.Containers[0])
	assert.Equal(t, "sleep:100ms", env["RINGSIDE_HANDLER"])
	assert.Equal(t, "32", env["RINGSIDE_WORKERS"])
	assert.Equal(t, "4", env["RINGSIDE_SELECTORS"])
}

func TestLabelsEverything(t *testing.T) {
	for key, object := range charttest.MustRender(t, ".", everyServer) {
		labels := object.GetLabels()
		assert.Equal(t, "stub", labels["app.kubernetes.io/name"], key)
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
	pod := store(t, charttest.MustRender(t, ".", `{podSecurityContext: {runAsUser: 0, runAsGroup: 0}, topologyKey: topology.kubernetes.io/zone}`)).Spec.Template
	assert.Nil(t, pod.Spec.SecurityContext.RunAsUser)
	assert.Nil(t, pod.Spec.SecurityContext.RunAsGroup)
	assert.True(t, *pod.Spec.SecurityContext.RunAsNonRoot)
	assert.Equal(t, "topology.kubernetes.io/zone", pod.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].TopologyKey)
	assert.NotContains(t, pod.Labels, "helm.sh/chart", "a new chart's version starts no pod anew")
}

func TestRefusesPortsThatCollide(t *testing.T) {
	for values, says := range map[string]string{
		`{port: 8080}`:                           "the server disruptor would listen on port 8080, which is that of the probes",
		`{port: 9404}`:                           "port 9404, which is that of metrics.port",
		`{metrics: {enabled: true, port: 8080}}`: "metrics.port 8080 is that of the probes",
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

func TestLeavesTheExporterOutWhenAsked(t *testing.T) {
	objects := charttest.MustRender(t, ".", `metrics: {enabled: false, port: 9404}`)
	assert.NotContains(t, objects, "ConfigMap/trial")
	pod := store(t, objects).Spec.Template
	assert.NotContains(t, pod.Labels, v1alpha1.LabelScrape)
	for _, argument := range pod.Spec.Containers[0].Command {
		assert.NotContains(t, argument, "javaagent")
	}
}

// Charts cannot share files, so the rules stand twice; here they are held together.
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
