package tripcache_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/charts/internal/charttest"
	"ringside.dev/ringside/operators/api/v1beta1"
)

const withKafka = `{server: {types: [rocksdb], instances: [{name: heap-2}]}, kafka: {enabled: true, partitions: 6, heap: 300M, retentionMiB: 64, size: 3Gi, image: "r/ringside-kafka:02"}}`

func TestBringsABrokerWhereItIsAskedFor(t *testing.T) {
	objects := charttest.MustRender(t, ".", withKafka)
	var set appsv1.StatefulSet
	objects.Get(t, "StatefulSet/trial-kafka", &set)
	pod := set.Spec.Template
	assert.EqualValues(t, 1, *set.Spec.Replicas)
	assert.NotEqual(t, v1beta1.StoreComponent, pod.Labels["app.kubernetes.io/component"], "it proves nothing: the store does")
	claim := set.Spec.VolumeClaimTemplates[0]
	assert.Equal(t, charttest.Release, claim.Labels["app.kubernetes.io/instance"], "the operator removes what carries it")
	assert.Equal(t, "local-ssd", *claim.Spec.StorageClassName)
	assert.Equal(t, "3Gi", claim.Spec.Resources.Requests.Storage().String())
	assert.Contains(t, pod.Spec.Containers[0].Command, "-Xmx300M")
	for _, container := range append(pod.Spec.InitContainers, pod.Spec.Containers...) {
		assert.Equal(t, "r/ringside-kafka:02", container.Image)
		assert.True(t, *container.SecurityContext.ReadOnlyRootFilesystem, container.Name)
		assert.Equal(t, []corev1.Capability{"ALL"}, container.SecurityContext.Capabilities.Drop, container.Name)
		require.NotEmpty(t, container.Env)
		assert.Equal(t, "POD_IP", container.Env[0].Name, "its configuration asks for it")
	}
	assert.True(t, *pod.Spec.SecurityContext.RunAsNonRoot)

	var configuration corev1.ConfigMap
	objects.Get(t, "ConfigMap/trial-kafka", &configuration)
	for _, line := range []string{
		"advertised.listeners=PLAINTEXT://${env:POD_IP}:9092,CONTROLLER://127.0.0.1:9093", "auto.create.topics.enable=false",
		"log.retention.bytes=67108864", "log.segment.bytes=16777216",
	} {
		assert.Contains(t, configuration.Data["server.properties"], line+"\n")
	}
	var service corev1.Service
	objects.Get(t, "Service/trial-kafka", &service)
	assert.Equal(t, pod.Labels["app.kubernetes.io/component"], service.Spec.Selector["app.kubernetes.io/component"])
	assert.NotContains(t, service.Labels, v1beta1.LabelServer, "no load goes there by itself")

	for name := range charttest.MustRender(t, ".", "") {
		assert.NotContains(t, name, "kafka")
	}
}

func TestMakesATopicForEachServerBeforeTheStoreStarts(t *testing.T) {
	store := charttest.StatefulSet(t, charttest.MustRender(t, ".", withKafka)).Spec.Template.Spec
	assert.Equal(t, "trial-kafka:9092", charttest.Environment(store.Containers[0])["RINGSIDE_KAFKA_BROKERS"])
	require.Len(t, store.InitContainers, 2)
	for i, server := range []string{"rocksdb", "heap-2"} {
		maker := store.InitContainers[i]
		assert.Equal(t, "topic-"+server, maker.Name)
		assert.Equal(t, "r/ringside-kafka:02", maker.Image)
		assert.Subset(t, maker.Command, []string{"--topic=" + server, "--partitions=6", "--bootstrap-server=trial-kafka:9092", "--if-not-exists"})
		assert.True(t, *maker.SecurityContext.ReadOnlyRootFilesystem)
	}

	plain := charttest.StatefulSet(t, charttest.MustRender(t, ".", "")).Spec.Template.Spec
	assert.Empty(t, plain.InitContainers)
	assert.NotContains(t, charttest.Environment(plain.Containers[0]), "RINGSIDE_KAFKA_BROKERS")
}

func TestLetsTheStoreAndLoadsToTheBrokerAndNobodyElse(t *testing.T) {
	objects := charttest.MustRender(t, ".", withKafka)
	var store, kafka networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/trial", &store)
	objects.Get(t, "NetworkPolicy/trial-kafka", &kafka)
	port := []networkingv1.NetworkPolicyPort{{Port: ptr.To(intstr.FromString("broker"))}}
	require.Len(t, store.Spec.Egress, 2, "the broker, and names")
	assert.Equal(t, kafka.Spec.PodSelector, *store.Spec.Egress[0].To[0].PodSelector)
	assert.Equal(t, port, store.Spec.Egress[0].Ports)
	require.Len(t, kafka.Spec.Ingress, 1)
	assert.Equal(t, port, kafka.Spec.Ingress[0].Ports)
	require.Len(t, kafka.Spec.Ingress[0].From, 2)
	assert.Equal(t, store.Spec.PodSelector, *kafka.Spec.Ingress[0].From[0].PodSelector)
	assert.Equal(t, map[string]string{v1beta1.LabelRelease: charttest.Release}, kafka.Spec.Ingress[0].From[1].PodSelector.MatchLabels)
	require.Len(t, kafka.Spec.Egress, 1, "itself")
	assert.Equal(t, kafka.Spec.PodSelector, *kafka.Spec.Egress[0].To[0].PodSelector)

	both := charttest.MustRender(t, ".", `{server: {types: [aerospike]}, kafka: {enabled: true}}`)
	both.Get(t, "NetworkPolicy/trial", &store)
	assert.Len(t, store.Spec.Egress, 3, "Aerospike, the broker, and names")
	assert.NotContains(t, charttest.MustRender(t, ".", `{kafka: {enabled: true}, networkPolicy: {enabled: false}}`), "NetworkPolicy/trial-kafka")
}

func TestRefusesABrokerThatMakesNoSense(t *testing.T) {
	for values, says := range map[string]string{
		`{nodes: 2, kafka: {enabled: true}}`:        "kafka.enabled is true and nodes is 2: each pod would read every point of the topic; set nodes to 1",
		`{nodes: 2}`:                                "",
		`{kafka: {enabled: true, partitions: 0}}`:   "minimum",
		`{kafka: {enabled: true, heap: 1Gi}}`:       "does not match pattern",
		`{kafka: {enabled: true, replicas: 3}}`:     "additional properties 'replicas' not allowed",
		`{kafka: {enabled: true, retentionMiB: 1}}`: "minimum",
	} {
		_, err := charttest.Render(t, ".", values)
		if says == "" {
			assert.NoError(t, err, values)
		} else {
			assert.ErrorContains(t, err, says, values)
		}
	}
}

func TestARealAPIServerTakesTheStoreWithABroker(t *testing.T) {
	charttest.DryRun(t, charttest.MustRender(t, ".", withKafka))
}
