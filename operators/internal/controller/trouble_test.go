package controller_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

const (
	firstWrite = "quorum-r1-disruptor-write-1"
	firstRead  = "quorum-r1-disruptor-read-1"
)

func (h *harness) failure(experiment *v1beta1.Experiment) *metav1.Condition {
	h.t.Helper()
	failure := meta.FindStatusCondition(h.get(experiment).Status.Conditions, v1beta1.ConditionFailed)
	require.NotNil(h.t, failure, h.describe(experiment))
	return failure
}

func (h *harness) storePods() []corev1.Pod {
	return list(h.ctx, h.world, &corev1.PodList{}, client.MatchingLabels{"app.kubernetes.io/component": v1beta1.StoreComponent}).Items
}

func TestStoreThatDoesNotProveItsServersEndsTheRunInItsFirstMinute(t *testing.T) {
	for _, test := range []struct {
		name, says string
		change     func(*world)
	}{
		{"another class", "runs test.SomethingElse, but test.Disruptor was expected", func(w *world) { w.class = "test.SomethingElse" }},
		{"no proof", "logged no proof for server disruptor", func(w *world) { w.proof = ptr.To("INFO starting\n") }},
		{"a malformed proof", "read the proof line of pod", func(w *world) { w.proof = ptr.To(`INFO ringside-proof {"server":"disruptor",` + "\n") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			test.change(h.world)
			done := h.run(h.create(nil))
			failure := h.failure(done)
			assert.Equal(t, v1beta1.ReasonVariantUnproved, failure.Reason)
			assert.Contains(t, failure.Message, test.says)
			assert.Contains(t, failure.Message, "rebuild and load its images")
			assert.True(t, meta.IsStatusConditionFalse(done.Status.Conditions, v1beta1.ConditionComplete))
			assert.Less(t, failure.LastTransitionTime.Sub(done.Status.StartedAt.Time), 90*time.Second)
			assert.Empty(t, h.measurements(), "nothing is measured on it")
			h.nothingLeft()
		})
	}
}

func asksForReads(e *v1beta1.Experiment) {
	e.Spec.Store.Values = &apiextensionsv1.JSON{Raw: []byte(`{"settings":{"reads":16}}`)}
}

func TestASettingThatDoesNotArriveEndsTheRunWithItsNameAndBothValues(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.settings = `{"reads":"32"}`
	failure := h.failure(h.run(h.create(asksForReads)))
	assert.Equal(t, v1beta1.ReasonVariantUnproved, failure.Reason)
	assert.Contains(t, failure.Message, "setting reads: requested was 16, but store pod ")
	assert.Contains(t, failure.Message, " runs with 32; ")
	assert.Empty(t, h.measurements(), "nothing is measured on it")
	h.nothingLeft()
}

func TestAMeasurementHasTheSettingsWithWhichItsStoreRan(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.settings = `{"reads":"16","jvm.collectors":"G1"}`
	assert.Zero(t, h.run(h.create(asksForReads)).Status.Invalid)
	for _, m := range h.measurements() {
		assert.Equal(t, map[string]string{"reads": "16", "jvm.collectors": "G1"}, m.Status.Proof.Settings, m.Name)
		assert.Len(t, m.Status.Proof.SettingsSHA256, 64)
		assert.Equal(t, []string{"settings"}, m.Status.Proof.Proves)
	}
}

func TestProofsAreReadOncePerLifeOfAPod(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.until(experiment, func() bool { m := h.measurement(firstWrite); return m != nil && m.Status.Valid })
	restartStorePod(h, 0)
	assert.Zero(t, h.run(experiment).Status.Invalid, h.describe(experiment))
	reads := []int{}
	for _, n := range h.world.logsRead {
		reads = append(reads, n)
	}
	assert.ElementsMatch(t, []int{2, 1}, reads, "only the pod that restarted is read again")
}

func TestAttemptWaitsForThePodsOfTheOneBefore(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(nil)
	h.until(experiment, func() bool { return h.running(firstWrite) })
	h.world.holdEndingPods = true
	require.NoError(t, h.client.DeleteAllOf(h.ctx, &batchv1.Job{}, client.InNamespace(h.namespace), client.PropagationPolicy("Background")))
	h.until(experiment, func() bool { return h.measurement(firstWrite).Status.Attempt == 2 })
	for range 20 {
		require.NoError(t, h.step(experiment))
	}
	assert.Empty(t, list(h.ctx, h.world, &batchv1.JobList{}).Items, "two loads would measure each other")
	progressing := meta.FindStatusCondition(h.get(experiment).Status.Conditions, v1beta1.ConditionProgressing)
	assert.Contains(t, progressing.Message, "is waiting for the end of load pod "+firstWrite+"-a1-0")
	h.world.holdEndingPods, h.world.holdLoad = false, false
	assert.Zero(t, h.run(experiment).Status.Invalid)
}

func TestPodThatTheCacheDoesNotShowYetCostsNoAttempt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.cache.lags = map[string]int{"Measurement": 1, "Job": 1, "Pod": 7}
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Load.Pods = 2 })
	assert.Zero(t, h.run(experiment).Status.Invalid)
	for _, m := range h.measurements() {
		assert.Empty(t, m.Status.Failures, "%s: a part was there before its pod was seen", m.Name)
	}
}

func TestStorePodThatWasNotReadyForAWhileCostsTheAttempt(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(nil)
	h.until(experiment, func() bool { return h.running(firstWrite) })
	pod := h.storePods()[0]
	pod.Status.Conditions[0].LastTransitionTime = metav1.NewTime(h.clock.Now()) // it became unready and ready again
	require.NoError(t, h.client.Status().Update(h.ctx, &pod))
	h.world.holdLoad = false
	assert.Zero(t, h.run(experiment).Status.Invalid)
	failures := h.measurement(firstWrite).Status.Failures
	require.Len(t, failures, 1)
	assert.Equal(t, v1beta1.FailureStoreRestarted, failures[0].Reason)
	assert.Equal(t, "store pod "+pod.Name+" was not ready for a while", failures[0].Message)
}

func TestRowFromFewerNodesThanAskedForIsNeverValid(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.MaxAttempts = 1
		e.Spec.Gates.StoreRestart = v1beta1.GateOff
		e.Spec.Phases = e.Spec.Phases[:1]
	})
	h.until(experiment, func() bool { return h.running(firstWrite) })
	scaleStore(h, 1)
	h.world.holdLoad = false
	h.run(experiment)
	m := h.measurement(firstWrite)
	assert.False(t, m.Status.Valid)
	assert.Contains(t, m.Status.InvalidReasons, "nodes: 1 of 2 requested store pods were ready at the end of the phase")
}

func TestNoPhaseBeginsOnAStoreThatWasScaledDown(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.until(experiment, func() bool { m := h.measurement(firstWrite); return m != nil && m.Status.Valid })
	scaleStore(h, 1)
	for range 30 {
		require.NoError(t, h.step(experiment))
	}
	assert.Nil(t, h.measurement(firstRead))
	scaleStore(h, 2)
	assert.Zero(t, h.run(experiment).Status.Invalid)
}

func scaleStore(h *harness, replicas int32) {
	set := list(h.ctx, h.world, &appsv1.StatefulSetList{}).Items[0]
	set.Spec.Replicas = &replicas
	require.NoError(h.t, h.client.Update(h.ctx, &set))
	for _, pod := range h.storePods()[min(int(replicas), len(h.storePods())):] {
		require.NoError(h.t, h.client.Delete(h.ctx, &pod, client.GracePeriodSeconds(0)))
	}
}

func TestLoadWhosePodsCannotBeMadeEndsTheRunSoon(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.noPods = `pods "x" is forbidden: exceeded quota: small`
	done := h.run(h.create(nil))
	failure := h.failure(done)
	assert.Equal(t, v1beta1.ReasonLoadFailed, failure.Reason)
	assert.Contains(t, failure.Message, "exceeded quota: small; raise the quota")
	assert.Less(t, done.Status.FinishedAt.Sub(done.Status.StartedAt.Time), 3*time.Minute)
	h.nothingLeft()
}

func TestSuspendedRunGoesOnAfterItsNodesWereStoppedAndStarted(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.until(experiment, func() bool { m := h.measurement(firstWrite); return m != nil && m.Status.StartAt != nil })
	suspend(h, experiment, true)
	h.until(experiment, func() bool { m := h.measurement(firstWrite); return m != nil && m.Status.Valid })
	stopNodes(h)
	for range 20 {
		require.NoError(t, h.step(experiment))
	}
	assert.Nil(t, h.measurement(firstRead))
	suspend(h, experiment, false)
	for range 20 {
		require.NoError(t, h.step(experiment))
	}
	h.world.storeNeverReady = false
	done := h.run(experiment)
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
	for _, m := range h.measurements() {
		assert.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
		assert.Equal(t, 1, h.world.loads[m.Name], m.Name)
		assert.Empty(t, m.Status.Failures, m.Name)
	}
}

func TestSuspendedRunWhoseLoadWasLostBeginsNoAttemptBeforeItGoesOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	experiment := h.create(nil)
	h.until(experiment, func() bool { return h.running(firstWrite) })
	suspend(h, experiment, true)
	stopNodes(h)
	require.NoError(t, h.client.DeleteAllOf(h.ctx, &batchv1.Job{}, client.InNamespace(h.namespace), client.PropagationPolicy("Background")))
	h.world.storeNeverReady, h.world.holdLoad = false, false
	for range 40 {
		require.NoError(t, h.step(experiment))
	}
	assert.Zero(t, h.world.loads[firstWrite])
	assert.Empty(t, list(h.ctx, h.world, &batchv1.JobList{}).Items)
	suspend(h, experiment, false)
	assert.Zero(t, h.run(experiment).Status.Invalid, h.describe(experiment))
	assert.Equal(t, 1, h.world.loads[firstWrite])
}

// stopNodes deletes all pods, as restarted nodes do. New ones are not ready until a test changes that.
func stopNodes(h *harness) {
	h.world.storeNeverReady = true
	for _, pod := range list(h.ctx, h.world, &corev1.PodList{}).Items {
		require.NoError(h.t, h.client.Delete(h.ctx, &pod, client.GracePeriodSeconds(0)))
	}
}

// Results stay until a user removes the run: no object that ends by itself takes them along.
func TestResultsOutliveTheRunAndItsJobs(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.run(experiment)
	require.NoError(t, h.client.DeleteAllOf(h.ctx, &batchv1.Job{}, client.InNamespace(h.namespace), client.PropagationPolicy("Background")))
	h.clock.SetTime(h.clock.Now().Add(1000 * time.Hour))
	for range 5 {
		require.NoError(t, h.step(experiment))
	}
	require.Len(t, h.measurements(), 2)
	for _, m := range h.measurements() {
		require.NotNil(t, m.Status.Result)
		for _, part := range m.Status.Parts {
			require.NotEmpty(t, part.Logs)
			for _, name := range part.Logs {
				assert.NoError(t, h.client.Get(h.ctx, client.ObjectKey{Namespace: h.namespace, Name: name}, &corev1.ConfigMap{}))
			}
		}
	}
}

// A StatefulSet reports only that its pods are not ready; the cause is known within seconds.
func TestAStoreWhoseStorageClassIsNotThereFailsInSeconds(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.noVolumes = true
	begin := h.clock.Now()
	done := h.run(h.create(nil))
	failure := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionFailed)
	require.NotNil(t, failure)
	assert.Equal(t, v1beta1.ReasonStoreFailed, failure.Reason)
	assert.Contains(t, failure.Message, "requests the default storage class, but none is marked as default (it has no storage class); choose one with --set")
	assert.Less(t, h.clock.Now().Sub(begin), time.Minute, "of a readyTimeout of five")
	h.nothingLeft()
}
