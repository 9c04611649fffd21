package cassandra_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
	"ringside.dev/ringside/operators/metrics"
)

const everyServer = `server: {types: [simple, nonblocking, hsha, threadedselector, threadpool, xedin, disruptor, native]}`

var store = charttest.Store{Name: "cassandra", TestPod: "write-read", FirstPort: 9160, PortTable: "rpc", OwnRules: 1}

func TestKeepsTheContractOfStores(t *testing.T) { store.HoldToContract(t) }

func TestARealAPIServerTakesEverything(t *testing.T) {
	charttest.DryRun(t, charttest.MustRender(t, ".", everyServer))
}

func TestRefusesValuesThatMakeNoSense(t *testing.T) {
	charttest.Refuses(t, ".", map[string]struct{ Values, Says string }{
		"an instance without its type":     {`server: {types: [hsha], instances: [{name: again}]}`, "does not match pattern"},
		"an instance of no type":           {`server: {types: [hsha], instances: [{name: netty-again}]}`, "does not match pattern"},
		"an instance named as an option":   {`server: {types: [hsha], instances: [{name: hsha-min}]}`, "server.instances: option workers of hsha-min would be read as minWorkers of hsha; use a name that does not end in -min"},
		"an instance named as a type":      {`server: {types: [hsha], instances: [{name: hsha}]}`, "does not match pattern"},
		"an instance twice":                {`server: {types: [hsha], instances: [{name: hsha-again}, {name: hsha-again, options: {workers: "4"}}]}`, "server.instances: hsha, hsha-again, hsha-again names a server twice"},
		"held for more than all its time":  {`server: {types: [threadpool], instances: [{name: threadpool-slowed, options: {hold: "1.05"}}]}`, "does not match pattern"},
		"an option with a typing error":    {`server: {types: [hsha], instances: [{name: threadpool-slowed, options: {worker: "1"}}]}`, "at '/server/instances/0/options': additional properties 'worker' not allowed"},
		"two native servers":               {`server: {types: [native], instances: [{name: native-again}]}`, "does not match pattern"},
		"the native server by a setting":   {`cassandra: {start_native_transport: true}`, "cassandra.start_native_transport is set by the chart: it is on if server.types has native; remove it from the values"},
		"more copies than nodes":           {`replicationFactor: 5`, "replicationFactor is 5: there are only 4 nodes; lower replicationFactor or raise nodes"},
		"a size without a unit that fits":  {`storage: {size: 10GB}`, "does not match pattern"},
		"a kind of disk nobody knows":      {`storage: {disk: nvme}`, "value must be one of"},
		"fewer most than least threads":    {`rpc: {minThreads: 64, maxThreads: 16}`, "rpc.minThreads is 64: it exceeds rpc.maxThreads (16)"},
		"a setting that the chart makes":   {`cassandra: {num_tokens: 256}`, "cassandra.num_tokens is set by the chart: each node has one token, evenly spaced; remove it from the values"},
		"a server on the probes' port":     {`{rpc: {port: 8079}, server: {types: [hsha, disruptor]}}`, "rpc.port is 8079: server disruptor would listen on port 8080, which is used by the probes; choose another port"},
		"an exporter on the nodes' port":   {`{metrics: {enabled: true, port: 7000}}`, "metrics.port is 7000: the port is used by traffic between nodes; choose another port"},
		"a profile of another kind":        {`{profile: {enabled: true, port: 9406, seconds: 1}}`, "additional properties 'seconds' not allowed"},
		"a misspelt option for all":        {`serverEnvironment: {RINGSIDE_WORKER: "4"}`, "at '/serverEnvironment': additional properties 'RINGSIDE_WORKER' not allowed"},
		"a misspelt option of one":         {`serverEnvironment: {RINGSIDE_HSHA_MAX_WORKERS: "4"}`, "at '/serverEnvironment': additional properties 'RINGSIDE_HSHA_MAX_WORKERS' not allowed"},
		"an environment that is not ours":  {`serverEnvironment: {PATH: /tmp}`, "at '/serverEnvironment': additional properties 'PATH' not allowed"},
		"the port of the counters twice":   {`serverEnvironment: {RINGSIDE_COUNTERS_PORT: "9405"}`, "at '/serverEnvironment': additional properties 'RINGSIDE_COUNTERS_PORT' not allowed"},
		"the environment of another value": {`serverEnvironment: {RINGSIDE_SERVERS: hsha}`, "at '/serverEnvironment': additional properties 'RINGSIDE_SERVERS' not allowed"},
	})
}

func TestHostsFurtherServersOfATypeWithOptionsOfTheirOwn(t *testing.T) {
	objects := charttest.MustRender(t, ".", `server: {types: [hsha, xedin], instances: [{name: hsha-again}, {name: threadpool-slowed, options: {hold: "0.05", maxReadBufferBytes: "65536"}}]}`)
	store.HostsServers(t, objects, "hsha", "xedin", "hsha-again", "threadpool-slowed")
	values := charttest.Environment(charttest.StatefulSet(t, objects).Spec.Template.Spec.Containers[0])
	assert.Equal(t, "0.05", values["RINGSIDE_THREADPOOL_SLOWED_HOLD"])
	assert.Equal(t, "65536", values["RINGSIDE_THREADPOOL_SLOWED_MAX_READ_BUFFER_BYTES"])
}

// Otherwise the kubelet would replace $(POD_IP), and replace two $ by one.
func TestHandsOptionsOverAsTheyAreWritten(t *testing.T) {
	values := charttest.Environment(charttest.StatefulSet(t, charttest.MustRender(t, ".",
		`{server: {types: [hsha], instances: [{name: hsha-again, options: {workers: "$$5"}}]}, serverEnvironment: {RINGSIDE_HSHA_WORKERS: $(POD_IP)}}`)).Spec.Template.Spec.Containers[0])
	assert.Equal(t, "$$$$5", values["RINGSIDE_HSHA_AGAIN_WORKERS"])
	assert.Equal(t, "$$(POD_IP)", values["RINGSIDE_HSHA_WORKERS"])
}

func TestHasFourNodesWhoseVolumesEndWithThem(t *testing.T) {
	set := charttest.StatefulSet(t, charttest.MustRender(t, ".", "")).Spec
	assert.EqualValues(t, 4, *set.Replicas)
	assert.EqualValues(t, "Delete", set.PersistentVolumeClaimRetentionPolicy.WhenDeleted)
}

func TestAChangedConfigurationRestartsTheNodes(t *testing.T) {
	annotations := func(values string) map[string]string {
		return charttest.StatefulSet(t, charttest.MustRender(t, ".", values)).Spec.Template.Annotations
	}
	assert.Equal(t, annotations(""), annotations("replicationFactor: 2"))
	assert.NotEqual(t, annotations(""), annotations("cassandra: {concurrent_reads: 64}"))
}

func TestHandsTheServersTheirSettings(t *testing.T) {
	set := charttest.StatefulSet(t, charttest.MustRender(t, ".", `serverEnvironment: {RINGSIDE_DISRUPTOR_RING_SIZE: "4096"}`))
	values := charttest.Environment(set.Spec.Template.Spec.Containers[0])
	assert.Equal(t, "4096", values["RINGSIDE_DISRUPTOR_RING_SIZE"])
	assert.Equal(t, "64", values["RINGSIDE_XEDIN_WORKERS"], "the chart's own stay")
}

func TestProbesWithoutOpeningAConnectionUnlessForReadiness(t *testing.T) {
	container := charttest.StatefulSet(t, charttest.MustRender(t, ".", "")).Spec.Template.Spec.Containers[0]
	assert.Equal(t, "/live", container.StartupProbe.HTTPGet.Path)
	assert.Equal(t, "/live", container.LivenessProbe.HTTPGet.Path)
	assert.Equal(t, "/ready", container.ReadinessProbe.HTTPGet.Path)
	assert.Equal(t, "simple", charttest.Environment(container)["RINGSIDE_SINGLE_CONNECTION_SERVERS"])
}

func TestOnlyTheNodesMaySpeakToEachOther(t *testing.T) {
	objects := charttest.MustRender(t, ".", "")
	var policy networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/trial", &policy)
	own := policy.Spec.Ingress[0]
	assert.Equal(t, []networkingv1.NetworkPolicyPort{{Port: ptr.To(intstr.FromString("storage"))}}, own.Ports)
	require.Len(t, own.From, 1)
	assert.NotEmpty(t, own.From[0].PodSelector.MatchLabels)
	assert.Subset(t, charttest.StatefulSet(t, objects).Spec.Template.Labels, own.From[0].PodSelector.MatchLabels)
	assert.Contains(t, policy.Spec.Ingress[1].Ports, networkingv1.NetworkPolicyPort{Port: ptr.To(intstr.FromString("counters")), Protocol: ptr.To(corev1.ProtocolUDP)})
}

// A policy sees DNS requests after they were redirected to the answering pod and its port.
func TestMayAskForNamesWhereTheyAreAnswered(t *testing.T) {
	var policy networkingv1.NetworkPolicy
	charttest.MustRender(t, ".", "").Get(t, "NetworkPolicy/trial", &policy)
	require.Len(t, policy.Spec.Egress, 2)
	dns := policy.Spec.Egress[1]
	var ports []int
	for _, port := range dns.Ports {
		ports = append(ports, port.Port.IntValue())
	}
	assert.Equal(t, []int{53, 53, 1053, 1053, 5353, 5353}, ports)
	addons, err := os.ReadFile("../../cluster/internal/addons/addons.yaml")
	require.NoError(t, err)
	assert.Contains(t, string(addons), "containerPort: 1053", "what the embedded cluster's listens on")
	require.Len(t, dns.To, 3)
	assert.Equal(t, []string{"kube-dns", "node-local-dns"}, dns.To[0].PodSelector.MatchExpressions[0].Values)
	assert.Equal(t, "openshift-dns", dns.To[1].NamespaceSelector.MatchLabels["kubernetes.io/metadata.name"])
	assert.Equal(t, "169.254.20.10/32", dns.To[2].IPBlock.CIDR)
}

func TestItsLoadIsNotHeldToPodsThatNoPolicyKnows(t *testing.T) {
	assert.NotContains(t, charttest.MustRender(t, ".", "hostNetwork: true"), "NetworkPolicy/trial-load")
}

func TestPlacesNodesAsTheClusterIsBuilt(t *testing.T) {
	set := charttest.StatefulSet(t, charttest.MustRender(t, ".", `
topologyKey: topology.kubernetes.io/zone
hostNetwork: true
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: Exists}]}]}
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: rack, labelSelector: {matchLabels: {app: noisy}}}]
topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}]`))
	pod := set.Spec.Template.Spec
	assert.NotNil(t, pod.Affinity.NodeAffinity)
	terms := pod.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	require.Len(t, terms, 2, "the chart's own stays")
	assert.Equal(t, []string{"topology.kubernetes.io/zone", "rack"}, []string{terms[0].TopologyKey, terms[1].TopologyKey})
	require.Len(t, pod.TopologySpreadConstraints, 1)
	assert.Subset(t, set.Spec.Template.Labels, pod.TopologySpreadConstraints[0].LabelSelector.MatchLabels)
	assert.True(t, pod.HostNetwork)
	assert.Equal(t, corev1.DNSClusterFirstWithHostNet, pod.DNSPolicy, "seeds are found by the names of a Service")
}

// The default is a quarter of the file system, which a volume may share with the whole machine.
func TestBoundsTheCommitLogByTheVolume(t *testing.T) {
	for size, megabytes := range map[string]int{"4Gi": 1024, "10Gi": 2560, "100Gi": 8192, "1G": 238, "256Mi": 128} {
		assert.EqualValues(t, megabytes, configuration(t, "storage: {size: "+size+"}")["commitlog_total_space_in_mb"], size)
	}
	assert.EqualValues(t, 512, configuration(t, "cassandra: {commitlog_total_space_in_mb: 512}")["commitlog_total_space_in_mb"])
}

func TestRefusesAnotherNumberOfNodesForData(t *testing.T) {
	running := charttest.Installed(charttest.Release, 4)
	_, err := charttest.RenderOver(t, ".", "nodes: 4", running)
	require.NoError(t, err)
	_, err = charttest.RenderOver(t, ".", "nodes: 5", running)
	assert.ErrorContains(t, err, "nodes is 5: this release was installed with 4 nodes")
	assert.ErrorContains(t, err, "set nodes to 4, or uninstall the release and install it again")
}

func TestADrainTakesOneNodeAtATime(t *testing.T) {
	objects := charttest.MustRender(t, ".", "")
	var budget policyv1.PodDisruptionBudget
	objects.Get(t, "PodDisruptionBudget/trial", &budget)
	assert.Equal(t, 1, budget.Spec.MaxUnavailable.IntValue())
	assert.Subset(t, charttest.StatefulSet(t, objects).Spec.Template.Labels, budget.Spec.Selector.MatchLabels)
}

func TestWritesTheConfigurationOfAFreshRing(t *testing.T) {
	settings := configuration(t, `{nodes: 4, rpc: {port: 9200}, cassandra: {concurrent_reads: 64}}`)
	assert.Equal(t, "${INITIAL_TOKEN}", settings["initial_token"])
	assert.Equal(t, false, settings["auto_bootstrap"])
	assert.Equal(t, "dev.ringside.cassandra.RingsideServerFactory", settings["rpc_server_type"])
	assert.EqualValues(t, 9200, settings["rpc_port"])
	assert.EqualValues(t, 64, settings["concurrent_reads"], "a value laid over")
}

func TestRunsCassandrasOwnCQLServerIfItIsUnderTest(t *testing.T) {
	assert.Equal(t, false, configuration(t, "")["start_native_transport"])
	for values, port := range map[string]int{`server: {types: [disruptor, native]}`: 9161, `server: {types: [native]}`: 9160} {
		settings := configuration(t, values)
		assert.Equal(t, true, settings["start_native_transport"])
		assert.EqualValues(t, port, settings["native_transport_port"])
		assert.Equal(t, true, settings["start_rpc"], "the plugin proves the server")
	}
}

func TestTheHelmTestNamesEachServerForItsProtocol(t *testing.T) {
	var test corev1.Pod
	charttest.MustRender(t, ".", `server: {types: [hsha, native]}`).Get(t, "Pod/trial-write-read", &test)
	assert.Subset(t, test.Spec.Containers[0].Args, []string{"hsha=trial-hsha:9160", "native=trial-native:9161"})
}

// testdata/jvm.options has the options of the distribution's file, without its comments (3.11.5, the last one in Maven's repository).
func TestTheJVMHasTheDistributionsOptions(t *testing.T) {
	// Options that are left out, each with the reason.
	left := map[string]string{
		"-XX:+HeapDumpOnOutOfMemoryError": "a dump of a heap has no place in a pod; the node ends and the measurement is marked",
		"-XX:+PrintHeapAtGC":              "thirty lines per collection that nobody reads",
		"-XX:+PrintTenuringDistribution":  "the like",
	}
	var files corev1.ConfigMap
	charttest.MustRender(t, ".", "").Get(t, "ConfigMap/trial", &files)
	ours := optionLines(files.Data["jvm.options"])
	text, err := os.ReadFile("testdata/jvm.options")
	require.NoError(t, err)
	shipped := optionLines(string(text))
	require.Greater(t, len(shipped), 20)
	for _, option := range shipped {
		if _, out := left[option]; out {
			assert.NotContains(t, ours, option)
			continue
		}
		assert.Contains(t, ours, option)
	}
	// Options that cassandra-env.sh adds.
	for _, option := range []string{"-XX:+UseCondCardMark", "-Dcassandra.jmx.local.port=7199"} {
		assert.Contains(t, ours, option)
	}
	assert.Contains(t, strings.Join(ours, " "), "-Xloggc:/tmp/", "the one folder that is neither data nor read-only")
}

// The last one of equal options takes effect.
func TestLaysFurtherOptionsAfterTheDistributions(t *testing.T) {
	var files corev1.ConfigMap
	charttest.MustRender(t, ".", `extraJvmOptions: ["-XX:SurvivorRatio=4"]`).Get(t, "ConfigMap/trial", &files)
	ours := optionLines(files.Data["jvm.options"])
	assert.Greater(t, slices.Index(ours, "-XX:SurvivorRatio=4"), slices.Index(ours, "-XX:SurvivorRatio=8"))
}

func optionLines(text string) []string {
	var options []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "-") {
			options = append(options, line)
		}
	}
	return options
}

type exporterRule struct {
	Pattern, Name, Type string
	Cache               bool
}

// The dashboards query these names; only the exporter's rules define them.
func TestTheExporterMakesTheMetricsThatDashboardsAskFor(t *testing.T) {
	var files corev1.ConfigMap
	charttest.MustRender(t, ".", "").Get(t, "ConfigMap/trial", &files)
	var exporter struct {
		IncludeObjectNames []string `json:"includeObjectNames"`
		Rules              []exporterRule
	}
	require.NoError(t, yaml.Unmarshal([]byte(files.Data["jmx.yaml"]), &exporter))
	made := map[string]string{}
	for _, rule := range exporter.Rules {
		_, err := regexp.Compile(rule.Pattern)
		require.NoError(t, err)
		assert.True(t, rule.Cache, "%s: without it, every scrape tries every rule on every attribute", rule.Name)
		made[rule.Name] = rule.Type
	}
	assert.ElementsMatch(t, []string{
		metrics.CassandraRequests, metrics.CassandraRequestLatency, metrics.CassandraRequestErrors, metrics.CassandraTasksActive,
		metrics.CassandraTasksPending, metrics.CassandraTasksBlocked, metrics.CassandraCompactions, metrics.CassandraCompactedBytes,
		metrics.CassandraLoadBytes, metrics.CassandraCommitLogBytes, metrics.CassandraHints, metrics.CassandraHintsInProgress,
		metrics.CassandraHintsDelivered, metrics.CassandraReadRepairs,
		metrics.CassandraDroppedMessages,
		metrics.ThriftRequests, metrics.ThriftHandlerSeconds, metrics.ThriftQueueSeconds, metrics.ThriftConnections,
		metrics.ThriftConnectionsTotal, metrics.ThriftBytes, metrics.ThriftThreads, metrics.ThriftParkedThreads, metrics.ThriftEventLoops,
		metrics.ThriftRingOccupancy, metrics.ThriftRingCapacity, metrics.ThriftBackpressureSeconds,
	}, slices.Collect(maps.Keys(made)))
	for _, object := range exporter.IncludeObjectNames {
		if !strings.HasPrefix(object, "org.apache.cassandra.") {
			continue
		}
		// The exporter reads beans without a rule too, including percentiles.
		_, name, found := strings.Cut(object, "name=")
		require.True(t, found, object)
		assert.True(t, slices.ContainsFunc(exporter.Rules, func(rule exporterRule) bool {
			return strings.Contains(rule.Pattern, "name="+name+">")
		}), "%s is read and no rule shows it", object)
	}
	for name, kind := range made {
		base, total := strings.CutSuffix(name, "_total")
		assert.Equal(t, total, kind == "COUNTER", name)
		if total {
			assert.NotContains(t, made, base, "the exporter holds a counter by its name without _total")
		}
	}
}

// The plugin's ServerType defines the names of the Thrift servers; users and the operator read the enum in the schema.
func TestTheSchemaListsThePluginsServers(t *testing.T) {
	source, err := os.ReadFile("../../images/server-types/src/main/java/dev/ringside/server/ServerType.java")
	require.NoError(t, err)
	var names []string
	for _, match := range regexp.MustCompile(`(?m)^  [A-Z]+\("([a-z]+)",`).FindAllStringSubmatch(string(source), -1) {
		names = append(names, match[1])
	}
	assert.ElementsMatch(t, append(names, "native"), charttest.ServerTypes(t, "."))
}

func TestTheClassesOfServersAreThoseOfTheImage(t *testing.T) {
	var classes map[string]string
	annotation := charttest.Load(t, ".").Metadata.Annotations["ringside.dev/server-classes"]
	require.NoError(t, yaml.UnmarshalStrict([]byte(annotation), &classes))
	for _, class := range classes {
		if name, ours := strings.CutPrefix(class, "dev.ringside.cassandra."); ours {
			assert.FileExists(t, "../../images/cassandra/plugin/src/main/java/dev/ringside/cassandra/"+name+".java")
		}
		if name, ours := strings.CutPrefix(class, "dev.ringside.thrift."); ours {
			assert.FileExists(t, "../../images/thrift-servers/src/main/java/dev/ringside/thrift/"+name+".java")
		}
	}
}

func configuration(t *testing.T, values string) map[string]any {
	t.Helper()
	var files corev1.ConfigMap
	charttest.MustRender(t, ".", values).Get(t, "ConfigMap/trial", &files)
	var settings map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(files.Data["cassandra.yaml"]), &settings))
	return settings
}
