package httpstore_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"

	"ringside.dev/ringside/charts/internal/charttest"
	"ringside.dev/ringside/operators/api/v1alpha1"
)

func TestKeepsTheContractOfStores(t *testing.T) {
	charttest.Store{Name: "http-store", TestPod: "write-read", FirstPort: 8080}.HoldToContract(t)
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

func TestHostsFurtherServersOfATypeWithOptionsOfTheirOwn(t *testing.T) {
	objects := charttest.MustRender(t, ".", `server: {types: [arrayqueue], instances: [{name: arrayqueue-256, options: {workers: "256"}}, {name: inline-again}]}`)
	container := charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0]
	env := charttest.Environment(container)
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
	env := charttest.Environment(charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0])
	for name, value := range map[string]string{
		"WORKERS": "256", "QUEUE": "1048576", "SELECTORS": "4", "FLUSH_MIB": "64", "BLOOM": "true", "COMPACTION": "false",
		"COMPACT_FROM": "8", "SYNC": "always", "SYNC_MS": "100",
	} {
		assert.Equal(t, value, env["RINGSIDE_"+name], name)
	}
}

func TestKeepsItsDataOnVolumesOfTheClassAskedFor(t *testing.T) {
	set := charttest.StatefulSet(t, charttest.MustRender(t, ".", ""))
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
	assert.Equal(t, mounted, filepath.Dir(charttest.Environment(container)["RINGSIDE_DATA"]))

	elsewhere := charttest.StatefulSet(t, charttest.MustRender(t, ".", `storage: {className: "", disk: ""}`))
	assert.Nil(t, elsewhere.Spec.VolumeClaimTemplates[0].Spec.StorageClassName, "the cluster's default")
	assert.Empty(t, elsewhere.Spec.Template.Spec.NodeSelector)
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

func TestRefusesATableThatTheHeapCannotHold(t *testing.T) {
	for values, says := range map[string]string{
		`{lsm: {flushMiB: 103}}`:                      "lsm.flushMiB is 103, more than a fifth of heap.max 512M: lower it, or raise heap.max to 515M at least",
		`{lsm: {flushMiB: 205}, heap: {max: 1G}}`:     "lsm.flushMiB is 205, more than a fifth of heap.max 1G: lower it, or raise heap.max to 1025M at least",
		`{lsm: {flushMiB: 102}}`:                      "",
		`{lsm: {flushMiB: 204}, heap: {max: 1G}}`:     "",
		`{lsm: {flushMiB: 1024}, heap: {max: 5120M}}`: "",
	} {
		_, err := charttest.Render(t, ".", values)
		if says == "" {
			assert.NoError(t, err, values)
		} else {
			assert.ErrorContains(t, err, says)
		}
	}
}

func TestLeavesTheMetricsOutWhenAsked(t *testing.T) {
	pod := charttest.StatefulSet(t, charttest.MustRender(t, ".", `metrics: {enabled: false, port: 9404}`)).Spec.Template
	assert.NotContains(t, pod.Labels, v1alpha1.LabelScrape)
	assert.Equal(t, "0", charttest.Environment(pod.Spec.Containers[0])["RINGSIDE_METRICS_PORT"])
	for _, port := range pod.Spec.Containers[0].Ports {
		assert.NotEqual(t, "metrics", port.Name)
	}
}

func TestTellsItsCountersToTheLoad(t *testing.T) {
	objects := charttest.MustRender(t, ".", "")
	container := charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0]
	assert.Contains(t, container.Ports, corev1.ContainerPort{Name: "counters", ContainerPort: 9405, Protocol: corev1.ProtocolUDP})
	assert.Equal(t, "9405", charttest.Environment(container)["RINGSIDE_COUNTERS_PORT"])
	var policy networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/trial", &policy)
	ports := policy.Spec.Ingress[0].Ports
	assert.Equal(t, "counters", ports[len(ports)-1].Port.StrVal)
	assert.Equal(t, corev1.ProtocolUDP, *ports[len(ports)-1].Protocol)

	without := charttest.StatefulSet(t, charttest.MustRender(t, ".", `counters: {enabled: false, port: 9405}`)).Spec.Template.Spec.Containers[0]
	assert.Equal(t, "0", charttest.Environment(without)["RINGSIDE_COUNTERS_PORT"])
	for _, port := range without.Ports {
		assert.NotEqual(t, "counters", port.Name)
	}
}
