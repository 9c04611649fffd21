package validation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/plan"
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
		{"values that the chart does not use", func(e *v1beta1.Experiment) {
			e.Spec.Store.Hosting = v1beta1.HostingSideBySide
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

func TestCheckClasses_namesTheClassThatTheClusterLacks(t *testing.T) {
	const head = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: store}\nspec:\n  volumeClaimTemplates:\n  - metadata: {name: data}\n    spec: "
	plain := storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "plain"}}
	standard := storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "standard", Annotations: map[string]string{isDefaultClass: "true"}}}
	for _, test := range []struct {
		name, claim, says string
		classes           []storagev1.StorageClass
	}{
		{"named and there", "{storageClassName: plain}", "", []storagev1.StorageClass{plain}},
		{"none named, and a default", "{}", "", []storagev1.StorageClass{plain, standard}},
		{"no class wanted", `{storageClassName: ""}`, "", nil},
		{"named and missing", "{storageClassName: gp3}", "the volumes of StatefulSet store need storage class gp3, which the cluster lacks: set store.values.storage.className to one of the cluster's: plain, standard", []storagev1.StorageClass{plain, standard}},
		{"none named, and no default", "{}", "the volumes of StatefulSet store name no storage class, and the cluster has no default one: set store.values.storage.className to one of the cluster's: plain", []storagev1.StorageClass{plain}},
		{"no class at all", "{storageClassName: gp3}", "which the cluster lacks: the cluster has none; install one", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := checkClasses(head+test.claim+"\n", test.classes)
			assert.Contains(t, said(err), test.says)
			assert.Equal(t, test.says == "", err == nil, err)
		})
	}
}

func TestCheckHosting_whatOneReleaseCannotHost(t *testing.T) {
	two := []v1beta1.ServerSpec{{Name: "a"}, {Name: "b"}}
	own := []v1beta1.ServerSpec{{Name: "a", Values: &storechart.JSON{Raw: []byte("{}")}}}
	for name, test := range map[string]struct {
		chart   string
		hosting v1beta1.Hosting
		servers []v1beta1.ServerSpec
		says    string
	}{
		"one store for all":          {"ledger", v1beta1.HostingShared, two, ""},
		"a store for each":           {"ledger", v1beta1.HostingSideBySide, own, ""},
		"one server under two names": {"shelf", v1beta1.HostingShared, []v1beta1.ServerSpec{{Name: "a"}, {Name: "b", Type: "a"}}, ""},
		"one store for several":      {"shelf", v1beta1.HostingShared, two, "hosting is Shared with 2 servers, but a store of chart shelf hosts at most 1: --set spec.store.hosting=SideBySide or Dedicated"},
		"values of one of several":   {"ledger", v1beta1.HostingShared, own, "server a has its own values, but with Shared hosting all servers are installed as one release: --set spec.store.hosting=SideBySide or Dedicated, or move the values to the store"},
		"a chart of one of several": {"ledger", v1beta1.HostingShared, []v1beta1.ServerSpec{{Name: "a", Chart: "shelf"}},
			"server a has its own chart, but with Shared hosting all servers are installed as one release: --set spec.store.hosting=SideBySide or Dedicated, or move the chart to the store"},
	} {
		t.Run(name, func(t *testing.T) {
			chart, err := storechart.NewCatalogue("../storechart/testdata/charts").Open(test.chart)
			require.NoError(t, err)
			spec := &v1beta1.ExperimentSpec{Store: v1beta1.StoreSpec{Chart: test.chart, Hosting: test.hosting}, Servers: test.servers}
			found := append(checkHosting(spec), checkHosted(spec, chart)...)
			if test.says == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			assert.Equal(t, test.says, found[0].Error())
		})
	}
}

func TestApart_releasesThatCannotBeInstalledTogether(t *testing.T) {
	set := func(name, pod string) string {
		return `{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "` + name + `"}, "spec": {"template": {"metadata": {"labels": {"app.kubernetes.io/component": "store"}}, "spec": ` + pod + `}}}`
	}
	const host = `{"hostNetwork": true}`
	for name, test := range map[string]struct {
		first, second string
		says          string
	}{
		"names of their own": {set("a", "{}"), set("b", "{}"), ""},
		"one on the host":    {set("a", host), set("b", "{}"), ""},
		"one name":           {set("store", "{}"), set("store", "{}"), "both have StatefulSet store"},
		"the same ports":     {set("a", host), set("b", host), "use the host network"},
	} {
		t.Run(name, func(t *testing.T) {
			together := apart{}
			require.NoError(t, together.add(plan.Release{Servers: []string{"one"}}, "shelf", test.first))
			err := together.add(plan.Release{Servers: []string{"two"}}, "shelf", test.second)
			if test.says == "" {
				require.NoError(t, err)
				return
			}
			refused := problem.Problem{}
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, v1beta1.RefusedInvalidHosting, refused.Reason)
			assert.Contains(t, refused.Error(), "the stores of servers one and two "+test.says)
		})
	}
}

// Each run is one measurement or one log larger than a cluster can hold, by the number of its planned measurements.
func TestARunHasAtMostAsManyMeasurementsAndLogsAsAClusterCanHold(t *testing.T) {
	servers := func(n int) (all []v1beta1.ServerSpec) {
		for i := range n {
			all = append(all, v1beta1.ServerSpec{Name: string(rune('a' + i))})
		}
		return all
	}
	phase := func(repeats int32, sweep int, change func(*v1beta1.PhaseSpec)) v1beta1.PhaseSpec {
		p := v1beta1.PhaseSpec{Name: "read", Repeats: repeats, Threads: 64}
		for i := range sweep {
			p.Sweep.Threads = append(p.Sweep.Threads, int32(64+i))
		}
		if change != nil {
			change(&p)
		}
		return p
	}
	duet := func(p *v1beta1.PhaseSpec) { p.Interleave = &v1beta1.Interleave{Mode: v1beta1.InterleaveDuet} }
	for name, test := range map[string]struct {
		spec v1beta1.ExperimentSpec
		want string
	}{
		"sweeps": {v1beta1.ExperimentSpec{Rounds: 29, Servers: servers(2), Phases: []v1beta1.PhaseSpec{phase(23, 3, nil)}},
			"4002 measurements are too many for one run, which can have 4000: use fewer, or split the experiment"},
		"installations": {v1beta1.ExperimentSpec{Rounds: 23, Installations: 3, Servers: servers(2), Phases: []v1beta1.PhaseSpec{phase(29, 0, nil)}},
			"4002 measurements are too many for one run, which can have 4000: use fewer, or split the experiment"},
		"the two sides of each duet": {v1beta1.ExperimentSpec{Rounds: 29, Servers: servers(4), Phases: []v1beta1.PhaseSpec{phase(23, 0, duet)}},
			"4002 measurements are too many for one run, which can have 4000: use fewer, or split the experiment"},
		"profiles": {v1beta1.ExperimentSpec{Rounds: 100, Servers: servers(2), Phases: []v1beta1.PhaseSpec{phase(20, 0, func(p *v1beta1.PhaseSpec) { p.Profile = []v1beta1.ProfileEvent{v1beta1.ProfileCPU} })}},
			"4002 measurements are too many for one run, which can have 4000: use fewer, or split the experiment"},
		"logs": {v1beta1.ExperimentSpec{Rounds: 29, Servers: servers(3), Load: v1beta1.LoadSpec{Pods: 64}, Phases: []v1beta1.PhaseSpec{phase(23, 0, nil)}},
			"2001 measurements by 64 load pods give 128064 logs, too many for one run, which can have 128000: use fewer measurements or load pods, or split the experiment"},
	} {
		t.Run(name, func(t *testing.T) {
			test.spec.Load.Pods = max(test.spec.Load.Pods, 1)
			test.spec.Store.Hosting = v1beta1.HostingShared
			experiment := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "e"}, Spec: test.spec}
			problems := Check(experiment, nil, loadgen.Catalogue{}, storechart.Images{})
			assert.Len(t, problems, 1)
			assert.Equal(t, test.want, problems[0].Error())
			assert.Equal(t, int64(len(plan.Build(experiment, 1).Cells())), test.spec.MeasurementCount(), "it is the number of the plan")
		})
	}
}

// Long names are shortened to a digest of the whole name: these were searched for, and collide in round 2 and not in round 1.
func TestNamesThatCollideInALaterRoundAreFound(t *testing.T) {
	const long = "a-server-with-a-name-of-32-chars"
	for name, test := range map[string]struct {
		server string
		phases []string
		rounds int32
		says   []string
	}{
		"measurements": {long, []string{"a-phase-with-a-long-name-001491", "a-phase-with-a-long-name-002894"}, 2, []string{
			"phase a-phase-with-a-long-name-001491 of server " + long + " and phase a-phase-with-a-long-name-002894 of server " + long +
				" would share the measurement quorum-r2-" + long + "-224042: rename one of them"}},
		"one round of them": {long, []string{"a-phase-with-a-long-name-001491", "a-phase-with-a-long-name-002894"}, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "quorum"}}
			e.Spec.Servers, e.Spec.Rounds = []v1beta1.ServerSpec{{Name: test.server}}, test.rounds
			for _, phase := range test.phases {
				e.Spec.Phases = append(e.Spec.Phases, v1beta1.PhaseSpec{Name: phase, Repeats: 1, Threads: 1})
			}
			assert.Equal(t, test.says, lines(checkNames(e)))
		})
	}
}
