package controller_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/store"
)

// interleavedRead makes one interleaved phase with three servers in one store.
func interleavedRead(e *v1beta1.Experiment) {
	e.Spec.Store.Hosting = v1beta1.HostingShared
	e.Spec.Servers = []v1beta1.ServerSpec{{Name: "disruptor"}, {Name: "hsha"}, {Name: "hsha-again", Type: "hsha"}}
	e.Spec.Phases = e.Spec.Phases[1:]
	e.Spec.Phases[0].Duration = &metav1.Duration{Duration: time.Minute}
	e.Spec.Phases[0].Interleave = &v1beta1.Interleave{Window: metav1.Duration{Duration: time.Second}, Mode: v1beta1.InterleaveWindows}
}

// group returns the group of a round: the leading measurement and its companions.
func (h *harness) group(round int32) (lead *v1beta1.Measurement, companions []v1beta1.Measurement) {
	for _, m := range h.measurements() {
		switch {
		case m.Spec.Round != round || m.Spec.Interleave == nil:
		case len(m.Spec.Arms) > 0:
			lead = &m
		default:
			companions = append(companions, m)
		}
	}
	return lead, companions
}

func (h *harness) leadRuns() bool {
	lead, _ := h.group(1)
	return lead != nil && h.running(lead.Name)
}

func TestInterleavedPhaseIsOneLoadForAllServers(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		interleavedRead(e)
		e.Spec.Rounds = 2
	})
	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	assert.Equal(t, int32(6), done.Status.Finished)
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
	require.Len(t, h.measurements(), 6)
	for round := range int32(2) {
		lead, companions := h.group(round + 1)
		require.Len(t, companions, 2)
		assert.Equal(t, 1, h.world.loads[lead.Name])
		for _, m := range append(companions, *lead) {
			assert.Equal(t, m.Name == lead.Name, h.world.loads[m.Name] == 1, "one job for all, the lead's")
			assert.Equal(t, int64(roundOperations), m.Status.Result.Operations, m.Name)
			assert.Equal(t, lead.Status.StartAt, m.Status.StartAt, m.Name)
			assert.Equal(t, lead.Status.StorePods, m.Status.StorePods, m.Name)
			assert.Equal(t, lead.Status.LoadImage, m.Status.LoadImage, m.Name)
			assert.Equal(t, m.Spec.ServerType, m.Status.Proof.Server, "each is proved to be its own server")
			assert.Equal(t, "load1", m.Status.Environment.LoadNodes[0].Name)
			assert.Equal(t, int32(1), m.Status.Attempt)
			assert.Equal(t, &v1beta1.StoreCPU{
				Windows: 10, Operations: roundOperations, PerOpMicros: "612.3",
				Groups:   []v1beta1.CPUGroup{{Name: "server", PerOpMicros: "200.0"}, {Name: "other", PerOpMicros: "412.3"}},
				Counters: map[string]int64{"cpu_ns": 612_345 * roundOperations, "cpu_server_ns": 200_000 * roundOperations, "gc_pause_ms": 30},
			}, m.Status.Result.StoreCPU)
		}
	}
	h.nothingLeft()
}

func TestLoadOfAnInterleavedPhaseIsToldWhereTheStoreTellsWhatItUsed(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(interleavedRead)
	h.until(experiment, h.leadRuns)
	var want []string
	for _, pod := range store.Pods(list(h.ctx, h.world, &corev1.PodList{}).Items) {
		want = append(want, pod.Status.PodIP+":9405")
	}
	require.NotEmpty(t, want)
	jobs := list(h.ctx, h.world, &batchv1.JobList{}).Items
	require.Len(t, jobs, 1)
	assert.Contains(t, jobs[0].Spec.Template.Spec.Containers[0].Env, corev1.EnvVar{Name: "RINGSIDE_COUNTERS", Value: strings.Join(want, ",")})
}

func TestLoadPodLostInAnInterleavedPhaseBeginsAllServersAnew(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(interleavedRead)
	h.until(experiment, h.leadRuns)
	pods := list(h.ctx, h.world, &corev1.PodList{}, client.HasLabels{batchv1.ControllerUidLabel})
	require.Len(t, pods.Items, 1)
	require.NoError(t, h.client.Delete(h.ctx, &pods.Items[0], client.GracePeriodSeconds(0)))
	h.world.holdLoad = false
	done := h.run(experiment)
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
	lead, companions := h.group(1)
	for _, m := range append(companions, *lead) {
		assert.Equal(t, int32(2), m.Status.Attempt, m.Name)
		require.Len(t, m.Status.Failures, 1, m.Name)
		assert.Equal(t, v1beta1.FailureLoadPodLost, m.Status.Failures[0].Reason)
		assert.Equal(t, int64(roundOperations), m.Status.Result.Operations)
	}
	assert.Equal(t, 1, h.world.loads[lead.Name])
	h.nothingLeft()
}

func TestToolThatFailsInAnInterleavedPhaseEndsTheRunWithAllServersFinished(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.failLoad = 1
	experiment := h.create(interleavedRead)
	done := h.run(experiment)
	failure := h.failure(experiment)
	assert.Equal(t, v1beta1.ReasonLoadFailed, failure.Reason)
	lead, companions := h.group(1)
	assert.Contains(t, failure.Message, "failed 2 times in measurement "+lead.Name)
	assert.Equal(t, int32(3), done.Status.Finished)
	assert.Equal(t, int32(3), done.Status.Invalid)
	for _, m := range append(companions, *lead) {
		assert.Len(t, m.Status.Failures, 2, m.Name)
		assert.Len(t, m.Status.InvalidReasons, 2, m.Name)
	}
}

func TestInterleavedPhaseEndsBeforeASuspendedRunStops(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(func(e *v1beta1.Experiment) {
		interleavedRead(e)
		e.Spec.Rounds = 2
	})
	h.until(experiment, h.leadRuns)
	suspend(h, experiment, true)
	h.world.holdLoad = false
	for range 60 {
		require.NoError(t, h.step(experiment))
	}
	present := h.get(experiment)
	assert.Equal(t, "suspended", present.Status.Current)
	assert.Equal(t, int32(3), present.Status.Finished, "all servers of the round")
	lead, _ := h.group(2)
	assert.Nil(t, lead)
	suspend(h, experiment, false)
	done := h.run(experiment)
	assert.Equal(t, int32(6), done.Status.Finished)
	assert.Zero(t, done.Status.Invalid)
	for _, m := range h.measurements() {
		assert.LessOrEqual(t, h.world.loads[m.Name], 1, m.Name)
	}
}

func TestCompanionDeletedInMidPhaseBeginsAllServersAnew(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(interleavedRead)
	h.until(experiment, h.leadRuns)
	_, companions := h.group(1)
	require.NoError(t, h.client.Delete(h.ctx, &companions[0]))
	lead, _ := h.group(1)
	// Meter ends when a measurement that it must deliver to is gone.
	require.NoError(t, h.client.DeleteAllOf(h.ctx, &batchv1.Job{}, client.InNamespace(h.namespace), client.PropagationPolicy("Background")))
	for range 100 {
		if err := h.step(experiment); err != nil {
			require.True(t, apierrors.IsNotFound(err), "the cache may have the companion a little longer: %v", err)
		}
	}
	require.EqualValues(t, 2, h.measurement(lead.Name).Status.Attempt)
	h.world.holdLoad = false
	done := h.run(experiment)
	assert.Equal(t, int32(3), done.Status.Finished)
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
}

func TestLogLostAfterACompanionWasCollectedBeginsAllServersAnew(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(interleavedRead)
	h.until(experiment, h.leadRuns)
	// An operator that stops after it has finished one of them.
	h.world.holdLoad = false
	for n := 1; ; n++ {
		require.Less(t, n, 50)
		m := &mortal{left: n}
		h.operateWith(h.mortalClient(m), mortalReleases{Releases: h.releases, m: m})
		for range 5 {
			if err := h.step(experiment); m.dead || err != nil {
				break
			}
		}
		if finished := h.finishedOf(1); finished > 0 {
			require.Less(t, finished, 3, "the lead is the last")
			break
		}
	}
	lead, _ := h.group(1)
	require.NoError(t, h.client.DeleteAllOf(h.ctx, &corev1.ConfigMap{}, client.InNamespace(h.namespace), client.MatchingLabels{v1beta1.LabelMeasurement: lead.Name}))
	h.restart()
	done := h.run(experiment)
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
	lead, companions := h.group(1)
	for _, m := range append(companions, *lead) {
		assert.Equal(t, int32(2), m.Status.Attempt, "no row is of another load than its neighbours'")
	}
	assert.Equal(t, 2, h.world.loads[lead.Name])
}

// finishedOf returns the number of finished measurements of the round.
func (h *harness) finishedOf(round int32) int {
	n := 0
	for _, m := range h.measurements() {
		if m.Spec.Round == round && m.Finished() {
			n++
		}
	}
	return n
}

func TestRunEndsAsSoonAsItIsPreciseEnough(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.noise = true
	experiment := h.create(func(e *v1beta1.Experiment) {
		interleavedRead(e)
		e.Spec.Rounds, e.Spec.WarmupRounds = 40, 1
		e.Spec.Precision, e.Spec.Budget = "5%", &metav1.Duration{Duration: 100 * time.Hour}
	})
	h.until(experiment, func() bool { return h.get(experiment).Status.Finished == 2*3 })
	assert.Equal(t, int32(40*3), h.get(experiment).Status.Planned, "the most, until it is known better")
	done := h.run(experiment)
	complete := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionComplete)
	require.NotNil(t, complete, h.describe(experiment))
	assert.Equal(t, metav1.ConditionTrue, complete.Status)
	assert.Equal(t, v1beta1.ReasonPrecisionReached, complete.Reason)
	assert.Contains(t, complete.Message, "39 measurements taken, 0 of them invalid; the precision of ±5% is reached after 13 of at most 40 rounds: the widest primary interval is ±")
	assert.Equal(t, int32(13*3), done.Status.Finished, "twelve rounds that count, and one to warm up")
	assert.Equal(t, done.Status.Finished, done.Status.Planned)
	assert.Len(t, h.measurements(), 13*3)
	assert.True(t, meta.IsStatusConditionFalse(done.Status.Conditions, v1beta1.ConditionFailed))
	told := 0
	for range len(h.events.Events) {
		if strings.Contains(<-h.events.Events, v1beta1.ReasonPrecisionReached) {
			told++
		}
	}
	assert.Equal(t, 1, told, "events")
	h.nothingLeft()
}

// The reads reach their precision in the first rounds that may end them, with a precision of their own; the reads again never reach theirs.
func TestAPhaseThatIsPreciseEnoughIsLeftOutOfTheRest(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.noise = true
	experiment := h.create(func(e *v1beta1.Experiment) {
		interleavedRead(e)
		e.Spec.Servers = e.Spec.Servers[:2]
		again := e.Spec.Phases[0]
		again.Name, again.Operation = "again", e.Spec.Phases[0].OperationName()
		e.Spec.Phases[0].Precision = "5%"
		e.Spec.Phases = append(e.Spec.Phases, again)
		e.Spec.Rounds = 13
		e.Spec.Precision, e.Spec.Budget = "0.1%", &metav1.Duration{Duration: 100 * time.Hour}
	})
	first := experiment.Spec.Phases[0].Name
	h.until(experiment, func() bool {
		return h.get(experiment).Status.Finished == 12*2*2 && h.get(experiment).Status.Precision != nil && h.get(experiment).Status.Precision.Rounds == 12
	})
	halfway := h.get(experiment).Status
	assert.Equal(t, []v1beta1.SettledPhase{{Phase: first, Rounds: 12}}, halfway.Precision.Settled)
	assert.Equal(t, int32((12*2+1)*2), halfway.Planned, "what is left out is not planned")
	h.restart()
	done := h.run(experiment)
	assert.Equal(t, int32((12*2+1)*2), done.Status.Finished)
	assert.Equal(t, done.Status.Finished, done.Status.Planned)
	assert.Len(t, h.measurements(), (12*2+1)*2, "nothing is created that is not measured")
	for _, m := range h.measurements() {
		assert.True(t, m.Spec.Phase == "again" || m.Spec.Round <= 12, m.Name)
	}
	complete := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionComplete)
	require.NotNil(t, complete, h.describe(experiment))
	assert.Equal(t, v1beta1.ReasonFinished, complete.Reason)
	assert.Contains(t, complete.Message, "phase "+first+" reached its precision after 12 rounds")
	told := 0
	for range len(h.events.Events) {
		if strings.Contains(<-h.events.Events, "phase "+first+" reached its precision after 12 rounds; later rounds are without it") {
			told++
		}
	}
	assert.Equal(t, 1, told, "events")
	h.nothingLeft()
}

func TestRunEndsWithTheRoundInWhichItsBudgetIsUsed(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.noise = true
	experiment := h.create(func(e *v1beta1.Experiment) {
		interleavedRead(e)
		e.Spec.Phases[0].Duration.Duration = 6 * time.Second
		e.Spec.Rounds = 40
		// Each round takes longer by the clock of the harness, which advances with its steps.
		e.Spec.Precision, e.Spec.Budget = "0.1%", &metav1.Duration{Duration: 12 * 6 * time.Second}
	})
	done := h.run(experiment)
	complete := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionComplete)
	require.NotNil(t, complete, h.describe(experiment))
	assert.Equal(t, v1beta1.ReasonBudgetUsed, complete.Reason, h.describe(experiment))
	assert.Equal(t, int32(12*3), done.Status.Finished)
	h.nothingLeft()
}
