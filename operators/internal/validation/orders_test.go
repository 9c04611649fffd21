package validation

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
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
			var said []string
			for _, found := range checkOrders(spec, storeOf(t, test.store), loadgen.NewCatalogue(house+"/images")) {
				said = append(said, found.What+": "+found.Fix)
			}
			assert.Equal(t, test.says, said)
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
			var said []string
			for _, found := range checkOrders(spec, storeOf(t, "cassandra-cql"), loadgen.NewCatalogue(house+"/images")) {
				said = append(said, found.What+": "+found.Fix)
			}
			assert.Equal(t, test.says, said)
		})
	}
}
