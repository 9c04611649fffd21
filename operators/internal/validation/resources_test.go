package validation

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

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
			assert.Equal(t, test.want, lines(checkValues(e, storeOf(t, "cassandra"), storechart.SomeImages())))
		})
	}
}
