package controller_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// oneFault makes a run of one load that kills node 1 of the store.
func oneFault(e *v1beta1.Experiment) {
	e.Spec.Phases = []v1beta1.PhaseSpec{{Name: "kill", Type: v1beta1.PhaseFaults, Operation: "write", Repeats: 1, Threads: 4, TargetRate: 10, Duration: &metav1.Duration{Duration: 45 * time.Second},
		Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill, Node: 1, At: metav1.Duration{Duration: 20 * time.Second}}}}}
}

// measuredUnder runs a fault of node 1, with another phase after it. It returns the measurement, the state of the
// fault, and the affected pod.
func (h *harness) measuredUnder(fault func(*v1beta1.Experiment)) (*v1beta1.Measurement, v1beta1.FaultStatus, v1beta1.StorePod) {
	h.t.Helper()
	experiment := h.create(func(e *v1beta1.Experiment) {
		after := e.Spec.Phases[1]
		fault(e)
		e.Spec.Phases = append(e.Spec.Phases, after)
	})
	done := h.run(experiment)
	assert.Equal(h.t, int32(2), done.Status.Finished)
	assert.Zero(h.t, done.Status.Invalid, h.describe(experiment))
	m := h.measurement("quorum-r1-disruptor-kill-1")
	require.NotNil(h.t, m)
	assert.Equal(h.t, int32(1), m.Status.Attempt, "what befell the node was asked for, and is no failure")
	require.Len(h.t, m.Status.Faults, 1)
	return m, m.Status.Faults[0], m.Status.StorePods[1]
}

func TestANodeIsKilledUnderItsLoadAndTheRunGoesOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	m, fault, victim := h.measuredUnder(oneFault)
	assert.True(t, strings.HasSuffix(fault.Pod, "-1"))
	assert.Equal(t, victim.Name, fault.Pod)
	assert.Equal(t, victim.UID, fault.UID)
	assert.NotEqual(t, fault.UID, fault.Successor)
	assert.InDelta(t, 20, fault.AskedAt.Sub(m.Status.StartAt.Time).Seconds(), 4, "at its time; the cache lags")
	require.NotNil(t, fault.GoneAt)
	require.NotNil(t, fault.ReadyAt)
	assert.False(t, fault.GoneAt.Before(&fault.AskedAt))
	require.NotNil(t, m.Status.Result)
	require.Len(t, m.Status.Result.Faults, 1)
	effect := m.Status.Result.Faults[0]
	assert.Equal(t, fault.AskedAt.Sub(m.Status.Result.StartedAt.Time).Microseconds(), effect.AtMicros)
	assert.Equal(t, v1beta1.Decimal("1.0000"), effect.Availability, "the world's loads are answered all along")
	h.nothingLeft()
}

func TestADeathThatNobodyOrderedIsNotTakenForOneThatWas(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		oneFault(e)
		e.Spec.MaxAttempts = 1
	})
	name := "quorum-r1-disruptor-kill-1"
	h.until(experiment, func() bool {
		m := h.measurement(name)
		return m != nil && len(m.Status.Faults) == 1 && m.Status.Faults[0].ReadyAt != nil
	})
	other := &corev1.Pod{}
	require.NoError(t, h.client.Get(h.ctx, client.ObjectKey{Namespace: h.namespace, Name: h.measurement(name).Status.StorePods[0].Name}, other))
	require.NoError(t, h.client.Delete(h.ctx, other, client.GracePeriodSeconds(0)))
	h.run(experiment)
	m := h.measurement(name)
	assert.False(t, m.Status.Valid)
	assert.Contains(t, m.Status.InvalidReasons, "store restart: store pod "+other.Name+" was replaced")
}

// oneThatLasts makes a run of one load with a fault of node 1 of the store for ten seconds.
func oneThatLasts(fault v1beta1.FaultSpec) func(*v1beta1.Experiment) {
	return func(e *v1beta1.Experiment) {
		oneFault(e)
		fault.Node, fault.At, fault.For = 1, metav1.Duration{Duration: 20 * time.Second}, &metav1.Duration{Duration: 10 * time.Second}
		e.Spec.Phases[0].Faults[0] = fault
	}
}

// onePause makes a run of one load that pauses node 1 of the store.
func onePause(e *v1beta1.Experiment) {
	oneThatLasts(v1beta1.FaultSpec{Kind: v1beta1.FaultPause})(e)
}

func TestANodeIsHitForATimeUnderItsLoadAndTheRunGoesOn(t *testing.T) {
	t.Parallel()
	for _, fault := range []v1beta1.FaultSpec{
		{Kind: v1beta1.FaultPause}, {Kind: v1beta1.FaultCut}, {Kind: v1beta1.FaultBusy}, {Kind: v1beta1.FaultFill}, {Kind: v1beta1.FaultLose, Share: "5%"},
		{Kind: v1beta1.FaultSlow, Delay: &metav1.Duration{Duration: 50 * time.Millisecond}},
	} {
		t.Run(fault.What(), func(t *testing.T) {
			t.Parallel()
			hitForATime(t, oneThatLasts(fault))
		})
	}
}

func hitForATime(t *testing.T, ordered func(*v1beta1.Experiment)) {
	h := newHarness(t)
	m, fault, victim := h.measuredUnder(ordered)
	assert.Equal(t, victim.UID, fault.UID)
	assert.Equal(t, victim.UID, fault.Successor, "it lives on")
	assert.Nil(t, fault.GoneAt)
	assert.True(t, fault.AskedAt.Time.Before(m.Status.StartAt.Add(20*time.Second)), "its helper is there before")
	assert.Equal(t, m.Status.StartAt.Add(20*time.Second), fault.BeganAt.Time)
	assert.Equal(t, m.Status.StartAt.Add(30*time.Second), fault.UndoneAt.Time)
	require.Len(t, m.Status.Result.Faults, 1)
	assert.Equal(t, int64(10_000_000), *m.Status.Result.Faults[0].ForMicros)
	assert.Equal(t, fault.BeganAt.Sub(m.Status.Result.StartedAt.Time).Microseconds(), m.Status.Result.Faults[0].AtMicros)
	h.nothingLeft()
}

func TestAPauseThatCouldNotBeDoneInvalidatesItsRow(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.helpless = "hold thread 1 of the store: operation not permitted"
	experiment := h.create(func(e *v1beta1.Experiment) {
		onePause(e)
		e.Spec.MaxAttempts = 1
	})
	h.run(experiment)
	m := h.measurement("quorum-r1-disruptor-kill-1")
	assert.False(t, m.Status.Valid)
	assert.Contains(t, m.Status.InvalidReasons, "store restart: fault 0 (pause of node 1 at 20s for 10s) did not come to pass: "+h.world.helpless)
}

// The load is lost before the time of the pause: its helper is in the pod, and would affect the next attempt.
func TestTheNextAttemptWaitsForTheHelperOfTheOneBefore(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(onePause)
	name := "quorum-r1-disruptor-kill-1"
	h.until(experiment, func() bool {
		m := h.measurement(name)
		return m != nil && len(m.Status.Faults) == 1
	})
	begun := h.measurement(name).Status.StartAt
	for _, job := range list(h.ctx, h.world, &batchv1.JobList{}).Items {
		require.NoError(t, h.client.Delete(h.ctx, &job, client.PropagationPolicy(metav1.DeletePropagationBackground)))
	}
	h.run(experiment)
	m := h.measurement(name)
	assert.True(t, m.Status.Valid, "%v", m.Status.InvalidReasons)
	assert.Equal(t, int32(2), m.Status.Attempt)
	assert.False(t, m.Status.StartAt.Time.Before(begun.Add(30*time.Second)), "the second began when the first one's helper had ended")
	assert.Len(t, h.world.helped, 2, "each attempt has a helper of its own")
	for name, times := range h.world.helped {
		assert.Equal(t, 1, times, name)
	}
}

// The next operator requests the faults that the previous one had not requested, and none twice.
func TestANodeIsKilledOnceWhereverTheOperatorDies(t *testing.T) {
	t.Parallel()
	writes := writesOf(t, oneFault)
	assert.Greater(t, writes.last-writes.first, 6, "created, begun, announced, asked for, gone, back, finished")
	killedAtEach(t, writes.first, writes.last, oneFault)
}

func TestANodeIsPausedOnceWhereverTheOperatorDies(t *testing.T) {
	t.Parallel()
	writes := writesOf(t, onePause)
	assert.Greater(t, writes.last-writes.first, 5, "created, begun, announced, asked for, undone, finished")
	killedAtEach(t, writes.first, writes.last, onePause)
}

// killed makes a run of one server whose only load kills the store.
func killed(e *v1beta1.Experiment) {
	e.Spec.Servers = e.Spec.Servers[:1]
	e.Spec.Rounds, e.Spec.WarmupRounds = 1, 0
	e.Spec.Phases = []v1beta1.PhaseSpec{{Name: "kill", Type: v1beta1.PhaseRecovery, Operation: "write", Repeats: 1, Threads: 4, Duration: &metav1.Duration{Duration: 30 * time.Second},
		Recovery: &v1beta1.RecoverySpec{KillAfter: metav1.Duration{Duration: 10 * time.Second}}}}
}

// restartStore restarts the store's containers the given number of times at once, as kubelets do. ready is the status
// of their readiness probes.
func (w *world) restartStore(h *harness, times int32, ready corev1.ConditionStatus) {
	for _, pod := range list(h.ctx, w, &corev1.PodList{}, client.MatchingLabels{"app.kubernetes.io/component": v1beta1.StoreComponent}).Items {
		pod.Status.ContainerStatuses[0].RestartCount += times
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: ready, LastTransitionTime: metav1.NewTime(w.now().Add(time.Second))}}
		require.NoError(w.t, w.client.Status().Update(h.ctx, &pod))
	}
}

// killing makes the load kill the store the given number of times and report the lost operations.
func killing(h *harness, times int32, lost int64) func(*v1beta1.Measurement, *v1beta1.Part) time.Duration {
	return func(m *v1beta1.Measurement, part *v1beta1.Part) time.Duration {
		now := metav1.NewMicroTime(h.clock.Now())
		part.Operations, part.LastIntervalAt = 500, &now
		part.Recovery = &v1beta1.Recovery{FirstMicros: 2_000_000, AllMicros: 2_100_000, Sent: 500, Acknowledged: 500, Kept: 500 - lost, Lost: lost}
		h.world.restartStore(h, times, corev1.ConditionFalse)
		return 0
	}
}

func TestAStoreIsKilledUnderItsLoadAndItsReturnIsWaitedFor(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.spoil = killing(h, 1, 0)
	experiment := h.create(killed)
	dead := 0
	h.until(experiment, func() bool {
		if parts := h.parts(); len(parts) == 1 && parts[0].Part.State == v1beta1.PartDone && h.measurements()[0].Status.Result == nil {
			dead++ // the load has reconnected; the readiness probes have not succeeded yet
		}
		if dead == 5 {
			h.world.restartStore(h, 0, corev1.ConditionTrue)
		}
		return h.get(experiment).Status.FinishedAt != nil
	})
	assert.GreaterOrEqual(t, dead, 5, "a store whose probes have not seen it back is waited for")
	measurements := h.measurements()
	require.Len(t, measurements, 1)
	m := measurements[0]
	assert.True(t, m.Status.Valid, "%v", m.Status.InvalidReasons)
	assert.Equal(t, int32(1), m.Status.Attempt, "that it died is what was asked for, and no failure")
	assert.Equal(t, int32(1), m.Spec.Pods, "one kills, however many pods a load has")
	assert.Equal(t, int64(2_000_000), m.Status.Result.Recovery.FirstMicros)
	assert.Equal(t, int64(500), m.Status.Result.Recovery.Kept)
	h.nothingLeft()
}

func TestAKillThatWasNoneOrBrokeAPromiseIsNotUsed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		times int32
		lost  int64
		says  string
	}{
		"it did not die":     {0, 0, "restarted 0 times instead of once"},
		"it broke its word":  {1, 7, "recovery: 7 of 500 acknowledged operations are lost, but the store promised to keep them"},
		"it died once again": {2, 0, "restarted 2 times instead of once"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			kill := killing(h, test.times, test.lost)
			h.world.spoil = func(m *v1beta1.Measurement, part *v1beta1.Part) time.Duration {
				late := kill(m, part)
				h.world.restartStore(h, 0, corev1.ConditionTrue)
				return late
			}
			experiment := h.create(func(e *v1beta1.Experiment) {
				killed(e)
				e.Spec.MaxAttempts = 1
			})
			h.run(experiment)
			measurements := h.measurements()
			require.Len(t, measurements, 1)
			assert.False(t, measurements[0].Status.Valid)
			require.NotEmpty(t, measurements[0].Status.InvalidReasons)
			assert.Contains(t, measurements[0].Status.InvalidReasons[0]+measurements[0].Status.InvalidReasons[len(measurements[0].Status.InvalidReasons)-1], test.says)
		})
	}
}

const (
	upgradePhase = "quorum-r1-old-upgrade-1"
	mixedPhase   = "quorum-r1-old-read-1"
)

// upgrade makes a run of one store that upgrades its node 1, with another phase after it.
func upgrade(e *v1beta1.Experiment) {
	e.Spec.Store.Chart, e.Spec.Servers = "shelf", []v1beta1.ServerSpec{{Name: "old"}}
	e.Spec.Store.Values = &apiextensionsv1.JSON{Raw: []byte(`{"maintenance": {"upgradeTo": "new"}}`)}
	e.Spec.Phases[0] = v1beta1.PhaseSpec{Name: "upgrade", Type: v1beta1.PhaseFaults, Operation: "write", Repeats: 1, Threads: 4, TargetRate: 10, Duration: &metav1.Duration{Duration: time.Minute},
		Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultMaintain, Task: v1beta1.TaskUpgrade, Node: 1, At: metav1.Duration{Duration: 20 * time.Second}, For: &metav1.Duration{Duration: 10 * time.Second}}}}
}

func TestAnUpgradedNodeProvesWhatItBecameFromThenOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(upgrade)
	done := h.run(experiment)
	assert.Equal(t, int32(2), done.Status.Finished, h.describe(experiment))
	for _, name := range []string{upgradePhase, mixedPhase} {
		m := h.measurement(name)
		assert.True(t, m.Status.Valid, "%s: %v", name, m.Status.InvalidReasons)
		assert.Equal(t, int32(1), m.Status.Attempt, name)
		assert.Equal(t, "4 and 5", m.Status.Proof.Settings["version"], name)
		assert.Equal(t, "node 1 to new", m.Status.Environment.Store["upgraded"], name)
	}
	h.nothingLeft()
}

func TestANodeThatIsStillTheOldOneInvalidatesItsUpgradeAndTheRunGoesOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.faithless = true
	experiment := h.create(upgrade)
	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	for _, name := range []string{upgradePhase, mixedPhase} {
		m := h.measurement(name)
		require.Len(t, m.Status.InvalidReasons, 1, name)
		assert.Contains(t, m.Status.InvalidReasons[0], "variant: setting version: requested was 5, but store pod ", name)
		assert.Contains(t, m.Status.InvalidReasons[0], "-1 runs with 4", name)
	}
}

// The load is lost after the upgrade. Nothing can undo it, so another attempt would measure something else.
func TestAnUpgradeOfAnAbandonedAttemptDoesNotEndTheRun(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(upgrade)
	h.until(experiment, func() bool { return len(h.world.upgraded) == 1 })
	h.world.holdLoad = false
	require.NoError(t, h.client.DeleteAllOf(h.ctx, &batchv1.Job{}, client.InNamespace(h.namespace), client.PropagationPolicy(metav1.DeletePropagationBackground)))
	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	m := h.measurement(upgradePhase)
	assert.False(t, m.Status.Valid)
	assert.Equal(t, int32(1), m.Status.Attempt)
	assert.Contains(t, strings.Join(m.Status.InvalidReasons, "; "), "there is no further attempt: node 1 was ordered to carry out upgrade")
}
