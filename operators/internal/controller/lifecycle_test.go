package controller_test

import (
	"cmp"
	"fmt"
	"slices"
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
)

func TestMeasuresEveryCellOnceAndLeavesNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Servers = []v1beta1.ServerSpec{{Name: "disruptor"}, {Name: "hsha"}}
		e.Spec.Phases[1].Repeats = 2
		e.Spec.Rounds = 2
		e.Spec.WarmupRounds = 1
	})
	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	assert.Equal(t, int32(12), done.Status.Planned)
	assert.Equal(t, int32(12), done.Status.Finished)
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
	assert.Nil(t, done.Status.Store)
	assert.Equal(t, int64(7), *done.Status.Seed)
	require.Len(t, h.measurements(), 12)
	for _, m := range h.measurements() {
		assert.Equal(t, 1, h.world.loads[m.Name], "%s is measured once", m.Name)
		assert.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
		assert.Equal(t, int64(1000), m.Status.Result.Operations)
		assert.Equal(t, v1beta1.Decimal("100.0"), m.Status.Result.OpRate)
		assert.NotEmpty(t, m.Status.Proof.Class)
		assert.Equal(t, "sha256:"+"aaaaaaaa", m.Status.Proof.ImageDigest[:15])
		assert.Len(t, m.Status.Environment.StoreNodes, 2)
		assert.Equal(t, "ssd", m.Status.Environment.StoreNodes[0].Disk)
		assert.Equal(t, "load1", m.Status.Environment.LoadNodes[0].Name)
		assert.Equal(t, "1.8", m.Status.Environment.Store["jvm"])
		assert.Equal(t, m.Spec.Round == 1, m.Spec.Warmup)
		assert.Equal(t, "20261121-001500", m.Labels[v1beta1.LabelRun])
	}
	h.nothingLeft()
}

func TestTheLoadsImageIsKnownThoughItsNodeToldLate(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.imageToldLate = true
	experiment := h.create(nil)
	h.run(experiment)
	for _, m := range h.measurements() {
		assert.Equal(t, []string{"sha256:" + strings.Repeat("a", 64)}, m.Status.LoadImage.Digests, m.Name)
	}
}

func TestSharedStoreServesAllRounds(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Store.Hosting = v1beta1.HostingShared
		e.Spec.Servers = []v1beta1.ServerSpec{{Name: "disruptor"}, {Name: "hsha"}, {Name: "hsha-again", Type: "hsha"}}
		e.Spec.Phases[0].Type = v1beta1.PhasePrepare
		e.Spec.Rounds = 2
	})
	releases := map[string]bool{}
	h.until(experiment, func() bool {
		present := h.get(experiment)
		if present.Status.Store != nil {
			releases[present.Status.Store.Release] = true
		}
		return present.Status.FinishedAt != nil
	})
	assert.Len(t, releases, 1)
	assert.Len(t, h.measurements(), 1+3*2)
	for _, m := range h.measurements() {
		assert.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
	}
	h.nothingLeft()
}

func TestSharedStoreIsRemovedBeforeItIsInstalledAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Store.Hosting = v1beta1.HostingShared
		e.Spec.Servers = []v1beta1.ServerSpec{{Name: "disruptor"}, {Name: "hsha"}}
		e.Spec.Phases[0].Type = v1beta1.PhasePrepare
		e.Spec.Rounds, e.Spec.Installations = 2, 2
	})
	var releases []string
	h.until(experiment, func() bool {
		present := h.get(experiment)
		if s := present.Status.Store; s != nil && !slices.Contains(releases, s.Release) {
			if len(releases) > 0 {
				assert.Equal(t, int32(5), present.Status.Finished, "all of the first has been measured")
				h.nothingLeft()
			}
			releases = append(releases, s.Release)
		}
		return present.Status.FinishedAt != nil
	})
	require.Len(t, releases, 2)
	done := h.get(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	assert.Equal(t, int32(2*(1+2*2)), done.Status.Finished)
	assert.Equal(t, done.Status.Planned, done.Status.Finished)
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
	prepared := map[int32]int{}
	for _, m := range h.measurements() {
		assert.Equal(t, 1, h.world.loads[m.Name], m.Name)
		for _, pod := range m.Status.StorePods {
			assert.Contains(t, pod.Name, releases[m.Spec.Installation-1], "%s met the pods of its installation", m.Name)
		}
		if m.Spec.Phase == "write" {
			prepared[m.Spec.Installation]++
		}
	}
	assert.Equal(t, map[int32]int{1: 1, 2: 1}, prepared, "each is filled once")
	h.nothingLeft()
}

func TestSeveralLoadPodsBeginAtOneAnnouncedInstant(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Load.Pods = 2
		e.Spec.Phases = e.Spec.Phases[:1]
	})
	name := "quorum-r1-disruptor-write-1"
	h.until(experiment, func() bool { m := h.measurement(name); return m != nil && m.Status.StartAt != nil })
	m := h.measurement(name)
	assert.Len(t, h.parts(), 2, "the start is announced once all load pods are ready")
	assert.Empty(t, m.Status.Parts, "they are recorded with the result")
	assert.Len(t, m.Status.StorePods, 2)
	assert.Equal(t, time.Second, m.Status.StartAt.Sub(h.clock.Now()), "two seconds from the announcement, one of which has passed")
	h.run(experiment)
	m = h.measurement(name)
	assert.Equal(t, int64(1000), m.Status.Result.Operations)
	assert.True(t, m.Status.Valid, "%v", m.Status.InvalidReasons)
}

// After an operator is killed after any of its writes, the next one neither loses nor duplicates a measurement. (To be
// killed before a write is the same as after the previous one.)
func TestResumesAfterBeingKilledAtAnyWrite(t *testing.T) {
	const atLeast = 15
	t.Run("of an ordinary phase and its store", func(t *testing.T) {
		t.Parallel()
		ordinary := func(e *v1beta1.Experiment) { e.Spec.Phases = e.Spec.Phases[:1] }
		all := writesOf(t, ordinary).all
		assert.Greater(t, all, atLeast, "a run has more writes than this")
		killedAtEach(t, 1, all, ordinary)
		assert.False(t, killedAt(t, all+1, ordinary), "no write was left out")
	})
	t.Run("of an interleaved phase", func(t *testing.T) {
		t.Parallel()
		writes := writesOf(t, interleavedRead)
		assert.Greater(t, writes.last-writes.first, atLeast, "three measurements, each created, begun, announced and finished")
		killedAtEach(t, writes.first, writes.last, interleavedRead)
	})
}

// writes counts the writes of an operator in a run: the first and the last for measuring, and all. Those before and after concern the store.
type writes struct{ first, last, all int }

func writesOf(t *testing.T, change func(*v1beta1.Experiment)) writes {
	const immortal = 1000
	h := newHarness(t)
	m := &mortal{left: immortal}
	h.operateWith(h.mortalClient(m), mortalReleases{Releases: h.releases, m: m})
	experiment := h.create(change)
	var out writes
	h.until(experiment, func() bool {
		present := h.get(experiment)
		out.all = immortal - m.left
		if len(h.measurements()) == 0 {
			out.first = out.all + 1
		}
		if present.Status.Planned == 0 || present.Status.Finished < present.Status.Planned {
			out.last = out.all + 1
		}
		return present.Status.FinishedAt != nil
	})
	return out
}

// killedAtEach kills an operator at each write from first to last, each in a run of its own.
func killedAtEach(t *testing.T, first, last int, change func(*v1beta1.Experiment)) {
	for n := first; n <= last; n++ {
		t.Run(fmt.Sprintf("write %d", n), func(t *testing.T) {
			t.Parallel()
			assert.True(t, killedAt(t, n, change))
		})
	}
}

// killedAt kills the operator at its n-th write, and reports whether it reached that write.
func killedAt(t *testing.T, n int, change func(*v1beta1.Experiment)) bool {
	h := newHarness(t)
	m := &mortal{left: n}
	h.operateWith(h.mortalClient(m), mortalReleases{Releases: h.releases, m: m})
	experiment := h.create(change)
	for range 1000 {
		err := h.step(experiment)
		if m.dead {
			break
		}
		require.NoError(t, err)
		if h.get(experiment).Status.FinishedAt != nil {
			return false
		}
	}
	require.True(t, m.dead)
	h.restart()
	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), "killed at write %d: %s", n, h.describe(experiment))
	require.Len(t, h.measurements(), int(done.Status.Planned))
	for _, measurement := range h.measurements() {
		assert.True(t, measurement.Status.Valid, "killed at write %d: %v", n, measurement.Status.InvalidReasons)
		assert.Equal(t, 1, h.world.loads[cmp.Or(measurement.Spec.Lead, measurement.Name)], "killed at write %d: %s", n, measurement.Name)
		assert.Equal(t, int32(1), measurement.Status.Attempt, "killed at write %d: no attempt is lost", n)
	}
	h.nothingLeft()
	return true
}

func TestLostLoadPodCostsAnAttemptAndNothingElse(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(nil)
	name := "quorum-r1-disruptor-write-1"
	h.until(experiment, func() bool { return h.running(name) })
	pods := list(h.ctx, h.world, &corev1.PodList{}, client.HasLabels{batchv1.ControllerUidLabel})
	require.Len(t, pods.Items, 1)
	require.NoError(t, h.client.Delete(h.ctx, &pods.Items[0], client.GracePeriodSeconds(0)))
	h.world.holdLoad = false
	done := h.run(experiment)
	assert.Equal(t, int32(2), done.Status.Finished)
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
	m := h.measurement(name)
	assert.Equal(t, int32(2), m.Status.Attempt)
	require.Len(t, m.Status.Failures, 1)
	assert.Equal(t, v1beta1.FailureLoadPodLost, m.Status.Failures[0].Reason)
	assert.Equal(t, int64(1000), m.Status.Result.Operations, "parts of the lost attempt are dropped")
	h.nothingLeft()
}

func TestJobDeletedByHandIsMadeAnew(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(nil)
	name := "quorum-r1-disruptor-write-1"
	h.until(experiment, func() bool { return h.running(name) })
	require.NoError(t, h.client.DeleteAllOf(h.ctx, &batchv1.Job{}, client.InNamespace(h.namespace), client.PropagationPolicy("Background")))
	h.world.holdLoad = false
	done := h.run(experiment)
	assert.Equal(t, int32(2), done.Status.Finished)
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
	assert.Equal(t, 1, h.world.loads[name])
}

func TestStoreRestartDuringAPhaseBeginsItAnew(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(nil)
	name := "quorum-r1-disruptor-write-1"
	h.until(experiment, func() bool { return h.running(name) })
	restartStorePod(h, 0)
	h.world.holdLoad = false
	h.until(experiment, func() bool { return h.measurement(name).Status.Attempt == 2 })
	done := h.run(experiment)
	assert.Zero(t, done.Status.Invalid, h.describe(experiment))
	m := h.measurement(name)
	require.Len(t, m.Status.Failures, 1)
	assert.Equal(t, v1beta1.FailureStoreRestarted, m.Status.Failures[0].Reason)
	assert.Contains(t, m.Status.Failures[0].Message, "restarted")
	assert.Equal(t, 2, h.world.loads[name])
}

func TestStoreRestartInTheLastAttemptMakesTheMeasurementInvalid(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.MaxAttempts = 1 })
	name := "quorum-r1-disruptor-write-1"
	h.until(experiment, func() bool { return h.running(name) })
	restartStorePod(h, 1)
	h.world.holdLoad = false
	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), "the run goes on")
	assert.Equal(t, int32(1), done.Status.Invalid)
	m := h.measurement(name)
	assert.False(t, m.Status.Valid)
	require.Len(t, m.Status.InvalidReasons, 1)
	assert.Contains(t, m.Status.InvalidReasons[0], "store restart: store pod")
	assert.NotNil(t, m.Status.Result, "the figures are kept, marked")
}

func TestMissingStoreNodeIsWaitedForBeforeTheNextPhase(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.until(experiment, func() bool { m := h.measurement("quorum-r1-disruptor-write-1"); return m != nil && m.Status.Valid })
	h.world.storeNeverReady = true
	h.world.turn(h.ctx)
	for range 10 {
		require.NoError(t, h.step(experiment))
	}
	assert.Nil(t, h.measurement("quorum-r1-disruptor-read-1"), "nothing is begun on a store that does not answer")
	assert.True(t, meta.IsStatusConditionFalse(h.get(experiment).Status.Conditions, v1beta1.ConditionStoreReady))
	h.world.storeNeverReady = false
	h.world.turn(h.ctx)
	assert.Zero(t, h.run(experiment).Status.Invalid)
}

func TestStoreRemovedFromOutsideEndsTheRun(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.until(experiment, func() bool { m := h.measurement("quorum-r1-disruptor-write-1"); return m != nil && m.Status.Valid })
	require.NoError(t, h.releases.Uninstall(h.ctx, h.get(experiment).Status.Store.Release))
	done := h.run(experiment)
	failure := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionFailed)
	require.NotNil(t, failure)
	assert.Equal(t, v1beta1.ReasonStoreLost, failure.Reason)
	assert.Equal(t, int32(1), done.Status.Finished, "what was measured stays")
	h.nothingLeft()
}

func TestToolThatFailsEachTimeEndsTheRunWithItsLastWords(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.failLoad = 1
	done := h.run(h.create(nil))
	failure := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionFailed)
	require.NotNil(t, failure)
	assert.Equal(t, v1beta1.ReasonLoadFailed, failure.Reason)
	assert.Contains(t, failure.Message, "the tool says no")
	m := h.measurement("quorum-r1-disruptor-write-1")
	assert.Len(t, m.Status.Failures, 2, "it was tried as often as asked")
	assert.Nil(t, h.measurement("quorum-r1-disruptor-read-1"))
	h.nothingLeft()
}

func TestOrdersThatMakeNoSenseAreNotTriedAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.failLoad = 64
	h.run(h.create(nil))
	assert.Len(t, h.measurement("quorum-r1-disruptor-write-1").Status.Failures, 1)
}

func TestMissingImageFailsWithFaultAndFix(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.imageMissing = true
	done := h.run(h.create(nil))
	failure := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionFailed)
	require.NotNil(t, failure)
	assert.Equal(t, v1beta1.ReasonStoreFailed, failure.Reason)
	assert.Contains(t, failure.Message, "image registry.example/ringside-ledger:test of pod")
	assert.Contains(t, failure.Message, "build it and load or push it")
	h.nothingLeft()
}

func TestStoreThatNeverAnswersFailsAfterItsTimeout(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.storeNeverReady = true
	experiment := h.create(nil)
	h.until(experiment, func() bool { return h.get(experiment).Status.Store != nil })
	for range 5 {
		require.NoError(t, h.step(experiment))
	}
	h.clock.SetTime(h.clock.Now().Add(6 * time.Minute))
	done := h.run(experiment)
	failure := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionFailed)
	require.NotNil(t, failure)
	assert.Contains(t, failure.Message, "did not answer within 5m0s, waiting for StatefulSet")
	h.nothingLeft()
}

func TestUnknownServerIsRefusedBeforeAnythingIsStarted(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	done := h.run(h.create(func(e *v1beta1.Experiment) { e.Spec.Servers[0].Name = "warp" }))
	accepted := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionAccepted)
	require.NotNil(t, accepted)
	assert.Equal(t, metav1.ConditionFalse, accepted.Status)
	assert.Equal(t, string(v1beta1.RefusedUnknownServer), accepted.Reason)
	assert.True(t, meta.IsStatusConditionFalse(done.Status.Conditions, v1beta1.ConditionSucceeded), "clients that wait for the end see it")
	failure := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionFailed)
	require.NotNil(t, failure)
	assert.Equal(t, v1beta1.ReasonRefused, failure.Reason)
	assert.Equal(t, `store ledger has no server "warp": choose from disruptor, hsha, simple`, failure.Message)
	assert.Empty(t, h.measurements())
	h.nothingLeft()
}

func TestSuspendedRunStopsBeforeTheNextPhaseAndGoesOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.until(experiment, func() bool { return h.measurement("quorum-r1-disruptor-write-1") != nil })
	suspend(h, experiment, true)
	h.until(experiment, func() bool {
		progressing := meta.FindStatusCondition(h.get(experiment).Status.Conditions, v1beta1.ConditionProgressing)
		return progressing.Reason == v1beta1.ReasonSuspended
	})
	for range 5 {
		require.NoError(t, h.step(experiment))
	}
	assert.Nil(t, h.measurement("quorum-r1-disruptor-read-1"))
	assert.NotNil(t, h.get(experiment).Status.Store, "the store stays, with its data")
	suspend(h, experiment, false)
	assert.Equal(t, int32(2), h.run(experiment).Status.Finished)
}

func TestDeletionInTheMiddleOfALoadLeavesNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(nil)
	h.until(experiment, func() bool { return h.running("quorum-r1-disruptor-write-1") })
	require.NoError(t, h.client.Delete(h.ctx, experiment))
	h.until(experiment, func() bool {
		err := h.client.Get(h.ctx, client.ObjectKeyFromObject(experiment), &v1beta1.Experiment{})
		return apierrors.IsNotFound(err)
	})
	h.world.turn(h.ctx)
	assert.Empty(t, list(h.ctx, h.world, &batchv1.JobList{}).Items)
	h.nothingLeft()
}

func TestSecondExperimentWaitsForTheMachine(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	first := h.create(nil)
	h.until(first, func() bool { return h.running("quorum-r1-disruptor-write-1") })
	second := h.create(func(e *v1beta1.Experiment) {
		e.Name = "later"
		e.Labels[v1beta1.LabelRun] = "20261121-001600"
	})
	for range 5 {
		require.NoError(t, h.step(second))
	}
	progressing := meta.FindStatusCondition(h.get(second).Status.Conditions, v1beta1.ConditionProgressing)
	require.NotNil(t, progressing)
	assert.Equal(t, v1beta1.ReasonQueued, progressing.Reason)
	assert.Equal(t, "experiment quorum is running; this one starts when it has ended", progressing.Message)
	h.world.holdLoad = false
	h.run(first)
	assert.Equal(t, int32(2), h.run(second).Status.Finished)
}

// running reports whether a load pod of the measurement drives load.
func (h *harness) running(measurement string) bool {
	return slices.ContainsFunc(h.parts(), func(p v1beta1.MeasurementPart) bool {
		return p.Labels[v1beta1.LabelMeasurement] == measurement && p.Part.State == v1beta1.PartRunning
	})
}

func suspend(h *harness, experiment *v1beta1.Experiment, value bool) {
	changed := h.get(experiment)
	changed.Spec.Suspend = value
	require.NoError(h.t, h.client.Update(h.ctx, changed))
}

func restartStorePod(h *harness, index int) {
	pods := list(h.ctx, h.world, &corev1.PodList{}, client.MatchingLabels{"app.kubernetes.io/component": v1beta1.StoreComponent}).Items
	pod := pods[index]
	pod.Status.ContainerStatuses[0].RestartCount++
	require.NoError(h.t, h.client.Status().Update(h.ctx, &pod))
}
