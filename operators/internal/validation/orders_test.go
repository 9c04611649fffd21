package validation

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

const house = "../../.."

func storeOf(t *testing.T, name string) *storechart.Chart {
	t.Helper()
	chart, err := storechart.NewCatalogue(house + "/charts").Open(name)
	require.NoError(t, err)
	return chart
}

func TestALoadDrivesServersOfItsProtocol(t *testing.T) {
	const thrift = "choose from simple, nonblocking, hsha, threadedselector, threadpool, xedin, disruptor, or choose another load"
	const cql = "choose from native, v41, v41-cms, v50, v50-java11, v50-trie, v50-bti, v50-zgc, v50-shenandoah, or choose another load"
	for name, test := range map[string]struct {
		store, load string
		servers     []string
		says        []string
	}{
		"user profiles, over CQL":      {"cassandra", "stress user", []string{"native"}, nil},
		"user profiles, over Thrift":   {"cassandra", "stress user", []string{"native", "hsha"}, []string{"load stress cannot drive server hsha with operation user: " + cql}},
		"cassandra-stress, both":       {"cassandra", "stress", []string{"disruptor", "native"}, nil},
		"Thrift, a Thrift server":      {"cassandra", "cassandra-load", []string{"disruptor"}, nil},
		"Thrift, a CQL server":         {"cassandra", "cassandra-load", []string{"disruptor", "native"}, []string{"load cassandra-load cannot drive server native: " + thrift}},
		"CQL, the server for CQL":      {"cassandra", "cql-load", []string{"native"}, nil},
		"CQL, a Thrift server":         {"cassandra", "cql-load", []string{"native", "hsha"}, []string{"load cql-load cannot drive server hsha: " + cql}},
		"CQL, another store":           {"cassandra-cql", "cql-load", []string{"v41", "v50"}, nil},
		"cassandra-stress, another":    {"cassandra-cql", "stress", []string{"v41", "v50"}, nil},
		"a server that no store knows": {"cassandra", "cassandra-load", []string{"netty"}, nil}, // reported as such
	} {
		t.Run(name, func(t *testing.T) {
			load, operation, _ := strings.Cut(test.load, " ")
			spec := &v1beta1.ExperimentSpec{Load: v1beta1.LoadSpec{Image: load}, Phases: []v1beta1.PhaseSpec{{Name: "write", Operation: operation}, {Name: "read", Operation: operation}}}
			for _, server := range test.servers {
				spec.Servers = append(spec.Servers, v1beta1.ServerSpec{Name: server})
			}
			assert.Equal(t, test.says, lines(checkOrders(spec, Charts{"": storeOf(t, test.store)}, loadgen.NewCatalogue(house+"/images"))))
		})
	}
}

// A server that a chart gains has a protocol, which its loads must name.
func TestEveryServerOfCassandraHasALoad(t *testing.T) {
	thrift := slices.DeleteFunc(slices.Clone(storeOf(t, "cassandra").ServerTypes()), func(name string) bool { return name == "native" })
	cql := append([]string{"native"}, storeOf(t, "cassandra-cql").ServerTypes()...)
	for image, servers := range map[string][]string{"stress": slices.Concat(thrift, cql), "cassandra-load": thrift, "cql-load": cql, "latte": cql} {
		load, err := loadgen.NewCatalogue(house + "/images").Open(image)
		require.NoError(t, err)
		assert.ElementsMatch(t, servers, load.Servers("read"), image)
	}
}

func TestALoadWithoutConstantRatesIsRefusedThem(t *testing.T) {
	refused := []string{"phase read: load latte does not support targetRate: remove it, or choose another load"}
	for name, test := range map[string]struct {
		load  string
		phase v1beta1.PhaseSpec
		says  []string
	}{
		"closed loop":       {"latte", v1beta1.PhaseSpec{Name: "read"}, nil},
		"a rate":            {"latte", v1beta1.PhaseSpec{Name: "read", TargetRate: 100}, refused},
		"a sweep of rates":  {"latte", v1beta1.PhaseSpec{Name: "read", Sweep: v1beta1.Sweep{Rates: []int64{100, 200}}}, refused},
		"the phase's load":  {"cql-load", v1beta1.PhaseSpec{Name: "read", Image: "latte", TargetRate: 100}, refused},
		"a load with rates": {"cql-load", v1beta1.PhaseSpec{Name: "read", TargetRate: 100}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			spec := &v1beta1.ExperimentSpec{Load: v1beta1.LoadSpec{Image: test.load}, Servers: []v1beta1.ServerSpec{{Name: "v50"}}, Phases: []v1beta1.PhaseSpec{test.phase}}
			assert.Equal(t, test.says, lines(checkOrders(spec, Charts{"": storeOf(t, "cassandra-cql")}, loadgen.NewCatalogue(house+"/images"))))
		})
	}
}

// rendered is a chart's manifest with one StatefulSet, of that component.
func rendered(t *testing.T, component string, ports ...corev1.ContainerPort) string {
	t.Helper()
	set := appsv1.StatefulSet{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"}}
	set.Spec.Template.Labels = map[string]string{"app.kubernetes.io/component": component}
	set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "agent"}, {Name: "store", Ports: ports}}
	manifest, err := yaml.Marshal(set)
	require.NoError(t, err)
	return string(manifest)
}

func TestAStoreWithoutThePortThatAPhaseNeedsIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		phase v1beta1.PhaseSpec
		port  corev1.ContainerPort
		other corev1.Protocol
		says  string
	}{
		"profiles": {
			v1beta1.PhaseSpec{Name: "read", Profile: []v1beta1.ProfileEvent{v1beta1.ProfileCPU}},
			corev1.ContainerPort{Name: "profile", ContainerPort: 9406}, corev1.ProtocolUDP,
			"phase read asks for profiles, but the pods of store ledger have no port named profile: --set spec.phases.read.profile=null removes them (docs/reference/store-contract.md describes the port)",
		},
		"a search by the queue": {
			v1beta1.PhaseSpec{Name: "most", Type: v1beta1.PhaseCapacity, Capacity: &v1beta1.CapacitySpec{By: v1beta1.ByQueue}},
			corev1.ContainerPort{Name: "counters", ContainerPort: 9405, Protocol: corev1.ProtocolUDP}, corev1.ProtocolTCP,
			"phase most searches for a capacity by the queue, but the pods of store ledger have no port named counters to report it: use capacity.by=Latency, or see store.values (docs/reference/store-contract.md describes the port)",
		},
		"a wait for compactions": {
			v1beta1.PhaseSpec{Name: "load", AwaitCompactions: &metav1.Duration{Duration: time.Minute}},
			corev1.ContainerPort{Name: "counters", ContainerPort: 9405, Protocol: corev1.ProtocolUDP}, corev1.ProtocolTCP,
			"phase load awaits the end of compactions, but the pods of store ledger have no port named counters to report them: --set spec.phases.load.awaitCompactions=null removes the wait (docs/reference/store-contract.md describes the port)",
		},
		"a kill": {
			v1beta1.PhaseSpec{Name: "crash", Type: v1beta1.PhaseRecovery, Recovery: &v1beta1.RecoverySpec{KillAfter: metav1.Duration{Duration: time.Second}}},
			corev1.ContainerPort{Name: "kill", ContainerPort: 9407}, corev1.ProtocolUDP,
			"phase crash kills the store, but the pods of store ledger have no port named kill: if the chart supports it, --set spec.store.values.kill.enabled=true opens it (docs/reference/store-contract-faults.md describes the port)",
		},
		"maintenance": {
			v1beta1.PhaseSpec{Name: "repair", Type: v1beta1.PhaseFaults, Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill}, {Kind: v1beta1.FaultMaintain, Task: "repair"}}},
			corev1.ContainerPort{Name: "maintenance", ContainerPort: 9407}, corev1.ProtocolUDP,
			"phase repair has the store maintain itself, but the pods of store ledger have no port named maintenance: if the chart supports it, --set spec.store.values.maintenance.enabled=true opens it (docs/reference/store-contract-faults.md describes the port)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			spec := &v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{{Name: "fill"}, test.phase}}
			spec.Store.Chart = "ledger"
			require.NoError(t, checkPorts(spec, rendered(t, "store", test.port)))
			require.NoError(t, checkPorts(spec, ""), "what the manifest does not show is not known")
			require.NoError(t, checkPorts(spec, rendered(t, "broker")), "a companion need not")

			wrong := test.port
			wrong.Protocol = test.other
			for lacks, manifest := range map[string]string{"none": rendered(t, "store"), "of another kind": rendered(t, "store", wrong)} {
				var refusal problem.Problem
				require.ErrorAs(t, checkPorts(spec, manifest), &refusal, lacks)
				assert.Equal(t, test.says, refusal.Error(), lacks)
			}
			spec.Phases = spec.Phases[:1]
			assert.NoError(t, checkPorts(spec, rendered(t, "store")), "no phase needs it")
		})
	}
}

// said returns the text of an error, or nothing.
func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func lines(problems []problem.Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.Error())
	}
	return out
}

func TestCheckResources_rejectsWhatPodsCannotHave(t *testing.T) {
	for text, want := range map[string][]string{
		`{requests: {cpu: 200m, memory: 1Gi, example.com/fpga: 1}, limits: {memory: 1Gi, hugepages-2Mi: 4Mi, ephemeral-storage: 1Gi}}`: nil,
		`{requests: {cpus: 200m}}`:                            {`x.requests has no resource "cpus": choose from cpu, memory, ephemeral-storage; did you mean cpu?`},
		`{requests: {memory: 256m}}`:                          {"x.requests has memory of 256m, a fraction of a byte: use whole bytes, as in 256Mi"},
		`{limits: {memory: -1Gi}}`:                            {"x.limits has memory of -1Gi: use a quantity of at least 0"},
		`{requests: {memory: 2Gi}, limits: {memory: 1000Mi}}`: {"x requests 2Gi of memory but limits it to 1000Mi: raise the limit or lower the request"},
	} {
		var resources corev1.ResourceRequirements
		require.NoError(t, yaml.Unmarshal([]byte(text), &resources))
		assert.Equal(t, want, lines(checkResources("x", resources)), text)
	}
}

// In Cassandra's threadpool each connection holds one of rpc.maxThreads of its node.
func TestCheckThreads_comparesConnectionsWithTheThreadsOfTheServer(t *testing.T) {
	for name, test := range map[string]struct {
		values string
		server v1beta1.ServerSpec
		phase  v1beta1.PhaseSpec
		want   []string
	}{
		"as many":        {`{"rpc": {"maxThreads": 16}}`, v1beta1.ServerSpec{Name: "threadpool"}, v1beta1.PhaseSpec{Threads: 64}, nil},
		"another server": {`{"rpc": {"maxThreads": 16}}`, v1beta1.ServerSpec{Name: "hsha"}, v1beta1.PhaseSpec{Threads: 400}, nil},
		"too few": {`{"rpc": {"maxThreads": 16}}`, v1beta1.ServerSpec{Name: "threadpool"}, v1beta1.PhaseSpec{Threads: 65},
			[]string{"phase read opens 65 connections to server threadpool, which has 16 threads on each of 4 nodes, one for each connection: --set spec.store.values.rpc.maxThreads=17, or use fewer threads"}},
		"options": {`{}`, v1beta1.ServerSpec{Name: "pool", Type: "threadpool", Options: map[string]string{"workers": "4"}}, v1beta1.PhaseSpec{Threads: 8, Connections: 40},
			[]string{"phase read opens 40 connections to server pool, which has 4 threads on each of 4 nodes, one for each connection: --set spec.servers.pool.options.workers=10, or use fewer threads"}},
		"a side of a duet": {`{"rpc": {"maxThreads": 16}}`, v1beta1.ServerSpec{Name: "threadpool"}, v1beta1.PhaseSpec{Threads: 128, Interleave: &v1beta1.Interleave{Mode: v1beta1.InterleaveDuet}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			test.phase.Name, test.phase.Repeats = "read", 1
			e := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "e"}, Spec: v1beta1.ExperimentSpec{
				Store:  v1beta1.StoreSpec{Chart: "cassandra", Hosting: v1beta1.HostingShared, Values: &storechart.JSON{Raw: []byte(test.values)}},
				Rounds: 1, Servers: []v1beta1.ServerSpec{test.server}, Load: v1beta1.LoadSpec{Pods: 1}, Phases: []v1beta1.PhaseSpec{test.phase},
			}}
			assert.Equal(t, test.want, lines(checkValues(e, &e.Spec, storeOf(t, "cassandra"), storechart.SomeImages())))
		})
	}
}

// What a search is refused for here is what the load would make of it.
func TestAQueuesTrendTakesAsManyOperationsAsTheLoadWaitsFor(t *testing.T) {
	number := func(file, before string) int {
		source, err := os.ReadFile("../../../images/load-kit/src/main/java/dev/ringside/load/" + file)
		require.NoError(t, err)
		found := regexp.MustCompile(before + ` = (\d+)`).FindSubmatch(source)
		require.NotNil(t, found, "%s in %s", before, file)
		n, err := strconv.Atoi(string(found[1]))
		require.NoError(t, err)
		return n
	}
	assert.Equal(t, leastOfQueue, number("QueueObjective.java", "OPERATIONS")*number("QueueTrend.java", "PIECES"))
}
