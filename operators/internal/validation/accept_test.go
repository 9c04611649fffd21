package validation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

func good() *v1beta1.Experiment {
	operations := int64(1000)
	return &v1beta1.Experiment{
		ObjectMeta: metav1.ObjectMeta{Name: "quorum", Namespace: "ns", UID: "u", CreationTimestamp: metav1.Now()},
		Spec: v1beta1.ExperimentSpec{
			Store:      v1beta1.StoreSpec{Chart: "ledger", Hosting: v1beta1.HostingDedicated},
			Servers:    []v1beta1.ServerSpec{{Name: "disruptor"}, {Name: "simple"}},
			Load:       v1beta1.LoadSpec{Image: "stress", Pods: 1},
			Phases:     []v1beta1.PhaseSpec{{Name: "write", Repeats: 1, Threads: 1}},
			Operations: &operations,
			Rounds:     2,
		},
	}
}

func TestGoodSpecIsAccepted(t *testing.T) {
	require.NoError(t, check(t, good()))
	many := good() // nodes that do not exist yet: an autoscaler adds them for pods that wait
	many.Spec.Store.Values = &storechart.JSON{Raw: []byte(`{"nodes": 3, "nodeSelector": {"pool": "stores"}}`)}
	require.NoError(t, check(t, many))
}

func TestSpecThatCannotBeRunIsRefusedWithFaultAndFix(t *testing.T) {
	values := func(text string) func(*v1beta1.Experiment) {
		return func(e *v1beta1.Experiment) { e.Spec.Store.Values = &storechart.JSON{Raw: []byte(text)} }
	}
	for _, test := range []struct {
		name   string
		change func(*v1beta1.Experiment)
		says   string
	}{
		{"unknown store", func(e *v1beta1.Experiment) { e.Spec.Store.Chart = "cellar" }, `unknown store "cellar": choose from ledger, shelf`},
		{"a search that is too short", func(e *v1beta1.Experiment) {
			e.Spec.Phases[0].Duration = &metav1.Duration{Duration: time.Minute}
			e.Spec.Phases[0].Type = v1beta1.PhaseCapacity
			e.Spec.Phases[0].Capacity = &v1beta1.CapacitySpec{Percentile: "99.9", Bound: metav1.Duration{Duration: time.Millisecond}, From: 500, Step: metav1.Duration{Duration: 5 * time.Second}}
		}, "phase write has 1m0s for its search, and 8 steps at 500/s take 2m40s (a percentile of 99.9 takes 10000 operations): use 2m40s or more, a higher capacity.from or a lower percentile"},
		{"a sweep over connections beyond a single one", func(e *v1beta1.Experiment) {
			e.Spec.Phases[0].Threads, e.Spec.Phases[0].Sweep.Connections = 1, []int32{1, 4}
		}, "server simple serves one connection at a time, but phase write has 4 connections, of which all but one would wait forever: leave it out of --server, or --set spec.phases.write.connections=1 for every phase"},
		{"values that are no table", values(`[1]`), "store ledger: values must be a table: json: cannot unmarshal array into Go value of type map[string]interface {}: fix store.values"},
		{"values of a server in a shared store", func(e *v1beta1.Experiment) {
			e.Spec.Store.Hosting = v1beta1.HostingShared
			e.Spec.Servers[0].Values = &storechart.JSON{Raw: []byte(`{"nodes": 1}`)}
		}, "server disruptor has its own values, but with Shared hosting all servers are installed as one release: use Dedicated hosting, or move the values to the store"},
		{"values that the chart does not use", func(e *v1beta1.Experiment) {
			e.Spec.Servers = []v1beta1.ServerSpec{{Name: "disruptor"}, {Name: "lazy", Type: "disruptor", Values: &storechart.JSON{Raw: []byte(`{"settings": {"lazy": true}}`)}}}
		}, "servers disruptor and lazy have different values, but install the same store: use values that chart ledger reads for type disruptor, and that differ"},
		{"more measurements than fit", func(e *v1beta1.Experiment) { e.Spec.Rounds = 100; e.Spec.Phases[0].Repeats = 100 }, "20000 measurements are too many for one run, which can have 4000: use fewer, or split the experiment"},
		{"more logs than fit", func(e *v1beta1.Experiment) {
			e.Spec.Rounds = 100
			e.Spec.Phases[0].Repeats = 11
			e.Spec.Load.Pods = 64
		}, "2200 measurements by 64 load pods give 140800 logs, too many for one run, which can have 128000: use fewer measurements or load pods, or split the experiment"},
		{"names that collide", func(e *v1beta1.Experiment) {
			e.Spec.Servers = []v1beta1.ServerSpec{{Name: "a-b", Type: "hsha"}, {Name: "a", Type: "hsha"}}
			e.Spec.Phases = []v1beta1.PhaseSpec{{Name: "c", Repeats: 1, Threads: 1}, {Name: "b-c", Repeats: 1, Threads: 1}}
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			experiment := good()
			test.change(experiment)
			err := check(t, experiment)
			var refusal problem.Problem
			require.ErrorAs(t, err, &refusal)
			if test.says == "" { // which of the two comes first is up to the order of servers
				assert.Contains(t, refusal.Error(), "would share the measurement quorum-r1-a-b-c-1: rename one of them")
				return
			}
			assert.Equal(t, test.says, refusal.Error())
			assert.NotEmpty(t, refusal.Reason)
		})
	}
}

func TestPhaseBoundInTimeNeedsNoOperations(t *testing.T) {
	experiment := good()
	experiment.Spec.Operations = nil
	experiment.Spec.Phases[0].Duration = &metav1.Duration{Duration: time.Minute}
	require.NoError(t, check(t, experiment))
}

func TestNameThatIsNoLabelIsRefused(t *testing.T) {
	experiment := good()
	experiment.Name = string(make([]byte, 64))
	var refusal problem.Problem
	require.ErrorAs(t, check(t, experiment), &refusal)
	assert.Contains(t, refusal.Error(), "is not a valid name of an experiment or a run")
}

func TestWhatALoadWouldRefuseIsRefused(t *testing.T) {
	experiment := good()
	experiment.Spec.Load.Parameters = v1beta1.Parameters{"columns": "0"}
	err := Accept(t.Context(), experiment, storechart.NewCatalogue("../storechart/testdata/charts"), loadgen.NewCatalogue("../../../images"), storechart.Images{})
	var refusal problem.Problem
	require.ErrorAs(t, err, &refusal)
	assert.Equal(t, `spec.load.parameters: load stress does not accept columns "0": use a whole number from 1 on`, refusal.Error())
}

func TestUnreadableChartsAreNoFaultOfTheSpec(t *testing.T) {
	err := Accept(t.Context(), good(), storechart.NewCatalogue("nowhere"), loadgen.Catalogue{}, storechart.Images{})
	require.Error(t, err)
	var refusal problem.Problem
	assert.NotErrorAs(t, err, &refusal)
}

func check(t *testing.T, experiment *v1beta1.Experiment) error {
	t.Helper()
	return Accept(t.Context(), experiment, storechart.NewCatalogue("../storechart/testdata/charts"), loadgen.Catalogue{}, storechart.Images{Registry: "r", Tag: "t", PullPolicy: "Never"})
}
