package gates

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestServersWithStoresOnOtherNodesAreNamed(t *testing.T) {
	on := func(server string, nodes ...string) ServerNodes { return ServerNodes{server, nodes} }
	for name, test := range map[string]struct {
		machines []ServerNodes
		says     string
	}{
		"one store for all":     {nil, ""},
		"all on the same":       {[]ServerNodes{on("v41", "n1", "n2"), on("v50", "n1", "n2")}, ""},
		"one that is not there": {[]ServerNodes{on("v41", "n1", "n2"), on("v50")}, ""},
		"on others": {[]ServerNodes{on("v41", "n1", "n2"), on("v41-again", "n1", "n2"), on("v50", "n3", "n4")},
			"machines: the store of v41 ran on n1, n2, but that of v50 on n3, n4: their figures also compare these nodes; use nodes that have room for a pod of every server"},
		"on some others": {[]ServerNodes{on("v41", "n1", "n2"), on("v50", "n2", "n3")},
			"machines: the store of v41 ran on n1, n2, but that of v50 on n2, n3: their figures also compare these nodes; use nodes that have room for a pod of every server"},
	} {
		t.Run(name, func(t *testing.T) {
			e := good()
			e.Spec.Server, e.Machines = "v41", test.machines
			verdict := Judge(e)
			assert.Empty(t, verdict.Invalid)
			if test.says == "" {
				assert.Empty(t, verdict.Warnings)
				return
			}
			assert.Equal(t, Findings{{v1beta1.GateStoreNodesDiffer, test.says}}, verdict.Warnings)
		})
	}
}

func TestARunOfAnotherNamespaceIsBesideOneWhileItMayHaveSomethingOnItsNodes(t *testing.T) {
	from := time.Date(2026, 11, 24, 12, 0, 0, 500_000_000, time.UTC)
	to := from.Add(time.Minute)
	at := func(after time.Duration) *metav1.Time {
		return &metav1.Time{Time: from.Add(after).Truncate(time.Second)}
	}
	for name, test := range map[string]struct {
		change func(*v1beta1.Experiment)
		beside bool
	}{
		"under way all the time":        {func(*v1beta1.Experiment) {}, true},
		"of the same namespace":         {func(e *v1beta1.Experiment) { e.Namespace = "mine" }, false},
		"waiting for its turn":          {func(e *v1beta1.Experiment) { e.Status.StartedAt = nil }, false},
		"without a pod on any node yet": {func(e *v1beta1.Experiment) { e.Status.OnNodes = nil }, false},
		"finished before":               {func(e *v1beta1.Experiment) { e.Status.FinishedAt = at(-2 * time.Second) }, false},
		"finished within the second":    {func(e *v1beta1.Experiment) { e.Status.FinishedAt = at(0) }, true},
		"come and gone meanwhile": {func(e *v1beta1.Experiment) {
			e.Status.StartedAt, e.Status.FinishedAt = at(10*time.Second), at(20*time.Second)
		}, true},
		"begun after":                       {func(e *v1beta1.Experiment) { e.Status.StartedAt = at(2 * time.Minute) }, false},
		"between two stores":                {func(e *v1beta1.Experiment) { e.Status.Store = nil }, true},
		"suspended, its store where it was": {func(e *v1beta1.Experiment) { e.Spec.Suspend = true }, true},
		"suspended before its next store":   {func(e *v1beta1.Experiment) { e.Spec.Suspend, e.Status.Store = true, nil }, false},
		"finished meanwhile, while suspended": {func(e *v1beta1.Experiment) {
			e.Spec.Suspend, e.Status.Store, e.Status.FinishedAt = true, nil, at(time.Second)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			other := v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Namespace: "theirs", Name: "quorum"},
				Status: v1beta1.ExperimentStatus{StartedAt: at(-time.Hour), OnNodes: []string{"n1"}, Store: &v1beta1.StoreStatus{}}}
			test.change(&other)
			want := []OtherRun(nil)
			if test.beside {
				want = []OtherRun{{Namespace: "theirs", Name: "quorum", Nodes: []string{"n1"}}}
			}
			assert.Equal(t, want, RunsBeside("mine", []v1beta1.Experiment{other}, from, to))
		})
	}
}

func TestARunOnOtherNodesDisturbsNobody(t *testing.T) {
	evidence := good()
	evidence.OtherRuns = []OtherRun{{Namespace: "theirs", Name: "quorum", Nodes: []string{"n3"}}}
	assert.Equal(t, Verdict{}, Judge(evidence))
}

func TestClocks_areComparedInPhasesWithFaults(t *testing.T) {
	type reading struct{ offset, wrong *int64 }
	ms := func(n int64) *int64 { return new(n * 1000) }
	good, ahead, vague, none := reading{ms(-80), ms(5)}, reading{ms(2000), ms(10)}, reading{ms(0), ms(500)}, reading{}
	differ, unknown := []v1beta1.Reason{v1beta1.GateClocksDiffer}, []v1beta1.Reason{v1beta1.GateClockUnknown}
	for name, test := range map[string]struct {
		load, store reading
		want        []v1beta1.Reason
	}{
		"all agree":                     {good, good, nil},
		"a node is two seconds ahead":   {good, ahead, differ},
		"the load's node is":            {ahead, good, differ},
		"a node that cannot ask":        {good, none, unknown},
		"a load that could not ask":     {none, good, unknown},
		"an estimate of half a second":  {good, vague, unknown},
		"one differs, one is not known": {ahead, none, append(differ, unknown...)},
	} {
		e := Evidence{Spec: v1beta1.MeasurementSpec{Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultCut}}}, Parts: []v1beta1.Part{{ClockOffsetMicros: test.load.offset, ClockErrorMicros: test.load.wrong}}}
		assert.Empty(t, clocks(e), "%s, without faults", name)
		e.Faults = []v1beta1.FaultStatus{{ClockOffsetMicros: test.store.offset, ClockErrorMicros: test.store.wrong}}
		assert.Equal(t, test.want, clocks(e).Reasons(), name)
		messages(t, clocks(e))
	}
}

func TestStoreCPU_isNamedWhereTooFewWindowsAreKnown(t *testing.T) {
	for _, test := range []struct {
		cpu  *v1beta1.StoreCPU
		idle bool
		want []v1beta1.Reason
	}{
		{nil, false, nil},
		{&v1beta1.StoreCPU{Windows: 120}, false, nil},
		{&v1beta1.StoreCPU{Windows: 108, UnknownWindows: 12}, false, nil},
		{&v1beta1.StoreCPU{Windows: 8, UnknownWindows: 112}, false, []v1beta1.Reason{v1beta1.GateStoreCPUUnknown}},
		{&v1beta1.StoreCPU{Windows: 1, UnknownWindows: 1}, true, nil},
	} {
		e := Evidence{Spec: v1beta1.MeasurementSpec{Idle: test.idle}, Result: v1beta1.Result{StoreCPU: test.cpu}}
		assert.Equal(t, test.want, storeCPU(e).Reasons())
		messages(t, storeCPU(e))
	}
}
