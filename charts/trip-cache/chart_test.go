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

var store = charttest.Store{Name: "trip-cache", TestPod: "write-read", FirstPort: 8099, Bases: []string{"{server: {types: [aerospike]}, kafka: {enabled: true}}"}}

func TestKeepsTheContractOfStores(t *testing.T) { store.HoldToContract(t) }

func TestRefusesValuesThatMakeNoSense(t *testing.T) {
	charttest.Refuses(t, ".", map[string]struct{ Values, Says string }{
		"no worker":                   {`workers: 0`, "minimum"},
		"a sync nobody knows":         {`sync: sometimes`, "value must be one of 'always'"},
		"a sync without time between": {`syncMillis: 0`, "minimum"},
		"no block cache":              {`rocksdb: {blockCacheMiB: 0}`, "minimum"},
		"a table of nothing":          {`rocksdb: {memtableMiB: 0}`, "minimum"},
		"no thread to merge":          {`rocksdb: {parallelism: 0}`, "minimum"},
		"a compression nobody knows":  {`rocksdb: {compression: rar}`, "value must be one of 'none'"},
		"a map of nothing":            {`lmdb: {mapMiB: 0}`, "minimum"},
		"a value of another store":    {`replicationFactor: 3`, "additional properties 'replicationFactor' not allowed"},
		"an instance of no type":      {`server: {instances: [{name: mongo-2}]}`, "does not match pattern"},
		"an instance without workers": {`server: {instances: [{name: heap-2, options: {workers: "0"}}]}`, "does not match pattern"},
		"an option nobody knows":      {`server: {instances: [{name: heap-2, options: {color: red}}]}`, "additional properties 'color' not allowed"},
		"one name for two servers":    {`server: {instances: [{name: heap-2}, {name: heap-2, options: {workers: "3"}}]}`, " names a server twice; give each server its own name"},
		"a misspelt value":            {`rocksdb: {wall: true}`, "additional properties 'wall' not allowed"},
	})
}

func TestRefusesToSyncALogThatThereIsNot(t *testing.T) {
	for values, says := range map[string]string{
		`rocksdb: {wal: false}`:                                                                                   "rocksdb.wal is false: without the log there is nothing to sync, but sync is interval; set sync to never",
		`{rocksdb: {wal: false}, sync: never}`:                                                                    "",
		`{rocksdb: {wal: false}, server: {types: [lmdb, heap]}}`:                                                  "",
		`server: {instances: [{name: rocksdb-bare, options: {wal: "false"}}]}`:                                    "wal of rocksdb-bare is false: without the log there is nothing to sync, but sync is interval; set sync to never",
		`server: {instances: [{name: rocksdb-bare, options: {wal: "false", sync: never}}]}`:                       "",
		`{sync: never, server: {instances: [{name: rocksdb-bare, options: {wal: "false"}}]}}`:                     "",
		`{rocksdb: {wal: false}, sync: never, server: {instances: [{name: rocksdb-2, options: {sync: always}}]}}`: "wal of rocksdb-2 is false: without the log there is nothing to sync, but sync is always; set sync to never",
		`{rocksdb: {wal: false}, sync: never, server: {instances: [{name: lmdb-2, options: {sync: always}}]}}`:    "",
	} {
		_, err := charttest.Render(t, ".", values)
		if says == "" {
			assert.NoError(t, err, values)
		} else {
			assert.ErrorContains(t, err, says)
		}
	}
}

func TestHostsFurtherServersOfATypeWithOptionsOfTheirOwn(t *testing.T) {
	objects := charttest.MustRender(t, ".", `server: {types: [rocksdb], instances: [{name: rocksdb-small, options: {workers: "8", memtableMiB: "4", blockCacheMiB: "8", syncMillis: "10", compression: zstd}}, {name: lmdb-again, options: {mapMiB: "64", readAhead: "false"}}]}`)
	store.HostsServers(t, objects, "rocksdb", "rocksdb-small", "lmdb-again")
	env := charttest.Environment(charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0])
	for name, value := range map[string]string{
		"WORKERS": "2", "ROCKSDB_SMALL_WORKERS": "8", "ROCKSDB_SMALL_MEMTABLE_MIB": "4", "ROCKSDB_SMALL_BLOCK_CACHE_MIB": "8",
		"ROCKSDB_SMALL_SYNC_MS": "10", "ROCKSDB_SMALL_COMPRESSION": "zstd", "LMDB_AGAIN_MAP_MIB": "64", "LMDB_AGAIN_READ_AHEAD": "false",
	} {
		assert.Equal(t, value, env["RINGSIDE_"+name], name)
	}
}

func TestTellsTheStoreHowToWorkAndToKeep(t *testing.T) {
	objects := charttest.MustRender(t, ".", `{workers: 8, sync: always, syncMillis: 20, rocksdb: {wal: true, blockCacheMiB: 1048576, memtableMiB: 16, compression: none, parallelism: 4}, lmdb: {mapMiB: 1048576, readAhead: false}}`)
	env := charttest.Environment(charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0])
	for name, value := range map[string]string{
		"WORKERS": "8", "SYNC": "always", "SYNC_MS": "20", "WAL": "true", "BLOCK_CACHE_MIB": "1048576", "MEMTABLE_MIB": "16",
		"COMPRESSION": "none", "PARALLELISM": "4", "MAP_MIB": "1048576", "READ_AHEAD": "false",
	} {
		assert.Equal(t, value, env["RINGSIDE_"+name], name)
	}
}

// The JVM unpacks the native libraries of the caches, and its root file system is read-only.
func TestGivesTheCachesSomewhereToUnpackTheirLibraries(t *testing.T) {
	pod := charttest.StatefulSet(t, charttest.MustRender(t, ".", "")).Spec.Template.Spec
	assert.Contains(t, pod.Containers[0].VolumeMounts, corev1.VolumeMount{Name: "tmp", MountPath: "/tmp"})
	for _, volume := range pod.Volumes {
		if volume.Name == "tmp" {
			assert.NotNil(t, volume.EmptyDir)
		}
	}
	assert.Contains(t, pod.Containers[0].Command, "--enable-native-access=ALL-UNNAMED")
}

const withAerospike = `{server: {types: [rocksdb, aerospike]}, aerospike: {nodes: 2, replicationFactor: 2, fileGiB: 8}}`

func TestBringsAerospikesServerForThoseThatAskIt(t *testing.T) {
	objects := charttest.MustRender(t, ".", withAerospike)
	var set appsv1.StatefulSet
	objects.Get(t, "StatefulSet/trial-asd", &set)
	assert.EqualValues(t, 2, *set.Spec.Replicas)
	assert.NotEqual(t, v1beta1.StoreComponent, set.Spec.Template.Labels["app.kubernetes.io/component"], "it proves nothing: the store does")
	assert.Equal(t, "docker.io/aerospike/aerospike-server:7.2.0.6", set.Spec.Template.Spec.Containers[0].Image)
	assert.Equal(t, "ssd", set.Spec.Template.Spec.NodeSelector["ringside.dev/disk"])
	claim := set.Spec.VolumeClaimTemplates[0]
	assert.Equal(t, charttest.Release, claim.Labels["app.kubernetes.io/instance"], "the operator removes what carries it")
	assert.Equal(t, "local-ssd", *claim.Spec.StorageClassName)
	assert.Equal(t, "9Gi", claim.Spec.Resources.Requests.Storage().String(), "the file, and some room")

	var service corev1.Service
	objects.Get(t, "Service/trial-asd", &service)
	assert.Equal(t, set.Spec.Template.Labels["app.kubernetes.io/component"], service.Spec.Selector["app.kubernetes.io/component"])
	assert.NotContains(t, service.Labels, v1beta1.LabelServer, "no load goes there")
	var configuration corev1.ConfigMap
	objects.Get(t, "ConfigMap/trial-asd", &configuration)
	for _, line := range []string{"mesh-seed-address-port trial-asd-1.trial-asd 3002", "replication-factor 2", "filesize 8G", "namespace trips {"} {
		assert.Contains(t, configuration.Data["aerospike.conf"], line)
	}
	env := charttest.Environment(charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0])
	assert.Equal(t, service.Name, env["RINGSIDE_AEROSPIKE_HOST"])

	plain := charttest.MustRender(t, ".", `server: {types: [rocksdb, lmdb, hazelcast, heap]}`)
	for name := range plain {
		assert.NotContains(t, name, "asd")
	}
	assert.NotContains(t, charttest.Environment(charttest.StatefulSet(t, plain).Spec.Template.Spec.Containers[0]), "RINGSIDE_AEROSPIKE_HOST")
}

func TestLetsTheStoreAskAerospikeAndNobodyElse(t *testing.T) {
	objects := charttest.MustRender(t, ".", `server: {types: [heap], instances: [{name: aerospike-again, options: {workers: "4"}}]}`)
	var store, asd networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/trial", &store)
	objects.Get(t, "NetworkPolicy/trial-asd", &asd)
	require.Len(t, store.Spec.Egress, 2, "Aerospike, and names")
	assert.Equal(t, asd.Spec.PodSelector, *store.Spec.Egress[0].To[0].PodSelector)
	assert.Equal(t, []networkingv1.NetworkPolicyPort{{Port: ptr.To(intstr.FromString("service"))}}, store.Spec.Egress[0].Ports)
	require.Len(t, asd.Spec.Ingress, 2, "the store, and its own nodes")
	assert.Equal(t, store.Spec.PodSelector, *asd.Spec.Ingress[0].From[0].PodSelector)
	assert.Equal(t, asd.Spec.PodSelector, *asd.Spec.Egress[0].To[0].PodSelector)
	assert.NotContains(t, charttest.MustRender(t, ".", `{server: {types: [aerospike]}, networkPolicy: {enabled: false}}`), "NetworkPolicy/trial-asd")
}

func TestRefusesAerospikeWhereItCannotBe(t *testing.T) {
	for values, says := range map[string]string{
		`{server: {types: [aerospike]}, aerospike: {image: ""}}`:                                            "aerospike.image is empty: the server aerospike needs the image of Aerospike's server; hand it over (AEROSPIKE_IMAGE_ARCHIVE=",
		`{server: {types: [heap], instances: [{name: aerospike-2}]}, aerospike: {image: ""}}`:               "aerospike.image is empty",
		`{server: {types: [heap]}, aerospike: {image: ""}}`:                                                 "",
		`{server: {types: [aerospike]}, aerospike: {replicationFactor: 2}}`:                                 "aerospike.replicationFactor is 2: it exceeds aerospike.nodes (1); lower it, or raise aerospike.nodes",
		`{server: {types: [aerospike]}, sync: always}`:                                                      "sync is always: Aerospike cannot sync on request; set it to interval or never",
		`{server: {types: [heap], instances: [{name: aerospike-2}]}, sync: always}`:                         "sync of aerospike-2 is always",
		`{server: {types: [heap], instances: [{name: aerospike-2, options: {sync: never}}]}, sync: always}`: "",
		`{server: {types: [heap], instances: [{name: aerospike-2, options: {sync: always}}]}}`:              "sync of aerospike-2 is always",
		`{server: {types: [rocksdb]}, sync: always}`:                                                        "",
		`{aerospike: {nodes: 0}}`:   "minimum",
		`{aerospike: {fileGiB: 0}}`: "minimum",
		`{aerospike: {memory: 4}}`:  "additional properties 'memory' not allowed",
	} {
		_, err := charttest.Render(t, ".", values)
		if says == "" {
			assert.NoError(t, err, values)
		} else {
			assert.ErrorContains(t, err, says, values)
		}
	}
}

func TestARealAPIServerTakesTheStoreWithAerospike(t *testing.T) {
	charttest.DryRun(t, charttest.MustRender(t, ".", withAerospike))
}

func TestLetsItselfBeKilledOnlyWhereAValueSaysSo(t *testing.T) {
	named := func(values string) (statefulSet appsv1.StatefulSet, policy string) {
		objects := charttest.MustRender(t, ".", values)
		objects.Get(t, "StatefulSet/trial", &statefulSet)
		var rules networkingv1.NetworkPolicy
		objects.Get(t, "NetworkPolicy/trial", &rules)
		for _, port := range rules.Spec.Ingress[0].Ports {
			policy += port.Port.String() + " "
		}
		return statefulSet, policy
	}
	closed, policy := named(`{}`)
	assert.Nil(t, closed.Spec.Template.Spec.ShareProcessNamespace)
	assert.NotContains(t, policy, "kill")
	assert.NotContains(t, closed.Spec.Template.Spec.Containers[0].Env, corev1.EnvVar{Name: "RINGSIDE_KILL_PORT", Value: "9407"})
	open, policy := named(`{kill: {enabled: true}}`)
	require.NotNil(t, open.Spec.Template.Spec.ShareProcessNamespace)
	assert.True(t, *open.Spec.Template.Spec.ShareProcessNamespace, "or the store is process 1, which nothing within can kill")
	assert.Contains(t, policy, "kill")
	assert.Contains(t, open.Spec.Template.Spec.Containers[0].Env, corev1.EnvVar{Name: "RINGSIDE_KILL_PORT", Value: "9407"})
	assert.Contains(t, open.Spec.Template.Spec.Containers[0].Ports, corev1.ContainerPort{Name: "kill", ContainerPort: 9407})
	_, err := charttest.Render(t, ".", `{kill: {enabled: true, port: 9406}}`)
	assert.ErrorContains(t, err, "kill.port is 9406: the port is used by profile.port; choose another port")
}

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
	assert.Equal(t, map[string]string{v1beta1.LabelReleasePrefix + charttest.Release: "true"}, kafka.Spec.Ingress[0].From[1].PodSelector.MatchLabels)
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
