package controller_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// spoilt lists possible problems of a load and what the gates report of them, from the delivered parts to the marked
// measurement. The gates for a wrong variant, missing nodes and a restarted store have their own tests because they
// need more setup.
var spoilt = []struct {
	name  string
	spoil func(*v1beta1.Part) (late time.Duration)
	says  []string
	// always reports whether the gate applies in every mode.
	always bool
}{
	{name: "nothing"},
	{name: "a saturated load", says: []string{"load CPU: load pod 0 used 96.0% of its available CPU"},
		spoil: func(p *v1beta1.Part) time.Duration { p.CPUUsedPermille = new(int64(960)); return 0 }},
	{name: "a load that waits", says: []string{"load wait: load pod 0 waited for a core 50.0% of the time in which it was runnable"},
		spoil: func(p *v1beta1.Part) time.Duration { p.CPUWaitedPermille = new(int64(500)); return 0 }},
	{name: "a load that is throttled", says: []string{"throttling: its CPU limit throttled load pod 0 for 5s"},
		spoil: func(p *v1beta1.Part) time.Duration { p.ThrottledMillis = 5000; return 0 }},
	{name: "a load of unknown CPU", says: []string{"load CPU: the CPU use of load pod 0", "load wait: the time that load pod 0 waited", "throttling: the time that its CPU limit throttled load pod 0"},
		spoil: func(p *v1beta1.Part) time.Duration { p.CPUUsedPermille, p.CPUWaitedPermille = nil, nil; return 0 }},
	{name: "a load beside the store", says: []string{"colocation: load pod 0 ran on the store's node node1"},
		spoil: func(p *v1beta1.Part) time.Duration { p.Node = "node1"; return 0 }},
	{name: "load pods that began apart", says: []string{"start skew: load pods began 3s apart"},
		spoil: func(*v1beta1.Part) time.Duration { return 3 * time.Second }},
	{name: "failed operations", says: []string{"errors: 50 operations failed"},
		spoil: func(p *v1beta1.Part) time.Duration { p.Operations, p.Errors = p.Operations-50, 50; return 0 }},
	{name: "lost operations", says: []string{"counts: 950 operations were answered and 0 failed, of 1000 ordered"}, always: true,
		spoil: func(p *v1beta1.Part) time.Duration { p.Operations -= 50; return 0 }},
}

// missedRate is the message of the gate for a phase with a target of 1000 operations per second that takes 10 s for
// 1000.
const missedRate = "target rate: 100.0 operations/s were answered, 10.0% of the target 1000"

func TestEveryGateIsHeldAgainstWhatTheLoadDelivers(t *testing.T) {
	t.Parallel()
	for _, mode := range []v1beta1.GateMode{v1beta1.GateEnforce, v1beta1.GateWarn} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			h.world.spoil = func(m *v1beta1.Measurement, part *v1beta1.Part) time.Duration {
				if spoil := spoilt[m.Spec.Round-1].spoil; spoil != nil && part.Index == 0 && m.Spec.Phase == "write" {
					return spoil(part)
				}
				return 0
			}
			experiment := h.create(func(e *v1beta1.Experiment) {
				e.Spec.Store.Hosting = v1beta1.HostingShared
				e.Spec.Rounds, e.Spec.Load.Pods = int32(len(spoilt)), 2
				e.Spec.Phases[1].TargetRate = 1000
				e.Spec.Gates = v1beta1.Gates{Errors: mode, LoadCPU: mode, LoadWait: mode, TargetRate: mode, Throttling: mode, Colocation: mode, StartSkew: mode}
			})
			done := h.run(experiment)
			require.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
			for _, m := range h.measurements() {
				spoilt := spoilt[m.Spec.Round-1]
				says, always := spoilt.says, spoilt.always
				if m.Spec.Phase == "read" {
					says, always = []string{missedRate}, false
				}
				requireSaid(t, spoilt.name+" in phase "+m.Spec.Phase, m, mode, says, always)
			}
		})
	}
}

// requireSaid compares a measurement's reasons, warnings and validity with the expected ones of a gate in the mode.
func requireSaid(t *testing.T, of string, m v1beta1.Measurement, mode v1beta1.GateMode, says []string, always bool) {
	t.Helper()
	var reasons, warnings []string
	switch {
	case always || mode == v1beta1.GateEnforce:
		reasons = says
	case mode == v1beta1.GateWarn:
		warnings = says
	}
	requireBegin(t, of+": reasons", reasons, m.Status.InvalidReasons)
	requireBegin(t, of+": warnings", warnings, m.Status.Warnings)
	assert.Equal(t, len(reasons) == 0, m.Status.Valid, of)
	assert.Equal(t, len(reasons) == 0, meta.IsStatusConditionTrue(m.Status.Conditions, v1beta1.ConditionValid), of)
	require.NotNil(t, m.Status.Result, "%s: the figures are kept, marked", of)
}

func requireBegin(t *testing.T, of string, beginnings, lines []string) {
	t.Helper()
	require.Len(t, lines, len(beginnings), "%s: %q", of, lines)
	for i, line := range lines {
		assert.Contains(t, line, beginnings[i], of)
	}
}

// The API server itself applies the limit to the pods, and reports it.
func TestAStoreThatALimitRangeHoldsBackIsNotTheOneAskedFor(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	limits := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "household", Namespace: h.namespace}, Spec: corev1.LimitRangeSpec{
		Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Default: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}}}}}
	require.NoError(t, h.client.Create(h.ctx, limits))
	h.run(h.create(nil))
	m := h.measurement(firstWrite)
	require.NotNil(t, m)
	assert.False(t, m.Status.Valid)
	for _, pod := range m.Status.StorePods {
		assert.Contains(t, m.Status.InvalidReasons, "throttling: a LimitRange of the namespace gave container ledger of store pod "+pod.Name+
			" a CPU limit: remove the default from it, or set a limit in the store's values (resources)")
	}
	assert.Len(t, m.Status.StorePods, 2)
}

func TestAPhaseMayHaveALoadOfItsOwn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	done := h.run(h.create(func(e *v1beta1.Experiment) { e.Spec.Phases[1].Image = "ycsb" }))
	assert.Zero(t, done.Status.Invalid)
	images := map[string]string{}
	for _, m := range h.measurements() {
		images[m.Spec.Phase] = m.Status.LoadImage.Reference
	}
	assert.Equal(t, map[string]string{"write": "registry.example/ringside-stress:test", "read": "registry.example/ringside-ycsb:test"}, images)
}

// Runs of other tests share the nodes too, so the message may contain more than this run.
func TestAMeasurementTellsWhichRunOfAnotherNamespaceWasOnItsNodes(t *testing.T) {
	for mode, told := range map[v1beta1.GateMode]func(*v1beta1.Measurement) []string{
		v1beta1.GateEnforce: func(m *v1beta1.Measurement) []string { return m.Status.InvalidReasons },
		v1beta1.GateWarn:    func(m *v1beta1.Measurement) []string { return m.Status.Warnings },
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			h.reconciler.SeesOtherNamespaces = true
			theirs := h.runElsewhere("node2", "node9")
			experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Gates.OtherRuns = mode })
			done := h.run(experiment)
			assert.Equal(t, int32(2), done.Status.Finished)
			m := h.measurement(firstWrite)
			require.NotNil(t, m)
			assert.Contains(t, told(m), "other runs: run quorum of namespace "+theirs+" used node2 during the phase")
			assert.Equal(t, mode == v1beta1.GateWarn, m.Status.Valid)
			assert.ElementsMatch(t, []string{"load1", "node1", "node2"}, done.Status.OnNodes, "what operators of other namespaces see of it")
		})
	}
}

// runElsewhere creates a run in its own namespace, active on the given nodes.
func (h *harness) runElsewhere(nodes ...string) string {
	h.t.Helper()
	elsewhere := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "elsewhere-"}}
	require.NoError(h.t, h.client.Create(h.ctx, elsewhere))
	experiment := h.create(func(e *v1beta1.Experiment) { e.Namespace = elsewhere.Name })
	now := metav1.NewTime(h.clock.Now())
	experiment.Status = v1beta1.ExperimentStatus{StartedAt: &now, OnNodes: nodes, Store: &v1beta1.StoreStatus{Release: "s", Releases: []v1beta1.StoreRelease{{Name: "s", Servers: []string{"disruptor"}}}, InstalledAt: now}}
	require.NoError(h.t, h.client.Status().Update(h.ctx, experiment))
	h.t.Cleanup(func() { _ = h.client.Delete(context.Background(), experiment) })
	return elsewhere.Name
}

// Deleting the reports of 64 load pods takes seconds on a busy API server. During a load it would disturb.
func TestTheReportsOfALoadAreRemovedWhileTheNextOneStarts(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Load.Pods = 2 })
	const first, second = "quorum-r1-disruptor-write-1", "quorum-r1-disruptor-read-1"
	reports := func() int {
		n := 0
		for _, part := range h.parts() {
			if part.Labels[v1beta1.LabelMeasurement] == first {
				n++
			}
		}
		return n
	}
	kept := false
	h.until(experiment, func() bool {
		if m := h.measurement(first); m == nil || !m.Finished() {
			return false
		}
		for _, job := range list(h.ctx, h.world, &batchv1.JobList{}).Items {
			if job.Labels[v1beta1.LabelMeasurement] == second {
				return true
			}
		}
		kept = true
		assert.Equal(t, 2, reports(), "while nothing waits for their deletion")
		return false
	})
	assert.True(t, kept)
	assert.Zero(t, reports())
}

func TestAMeasurementRecordsWhatItsLoadPodsReportedAndTheReportsGo(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Load.Pods = 2 })
	var most int
	h.until(experiment, func() bool {
		most = max(most, len(h.parts()))
		return h.get(experiment).Status.FinishedAt != nil
	})
	assert.Equal(t, 2, most, "those of one measurement at a time")
	assert.Empty(t, h.parts())
	require.Len(t, h.measurements(), 2)
	for _, m := range h.measurements() {
		require.Len(t, m.Status.Parts, 2)
		for i, part := range m.Status.Parts {
			assert.Equal(t, int32(i), part.Index)
			assert.Equal(t, v1beta1.PartDone, part.State)
			assert.NotEmpty(t, part.Logs, "for the export")
		}
	}
}
