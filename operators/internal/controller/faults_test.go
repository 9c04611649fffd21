package controller_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
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
