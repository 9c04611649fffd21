package controller_test

import (
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
	"ringside.dev/ringside/operators/internal/operator"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/progress"
)

// deleteNamespace deletes the namespace. There is no controller here that deletes its content: it stays, but nothing
// can be created in it.
func (h *harness) deleteNamespace() {
	h.t.Helper()
	require.NoError(h.t, h.client.Delete(h.ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: h.namespace}}))
}

func TestTheOperatorLetsGoOfItsRunsWhenItsNamespaceIsDeleted(t *testing.T) {
	for _, test := range []struct {
		name    string
		until   func(h *harness, e *v1beta1.Experiment) bool
		deleted bool
	}{
		{"while a store is installed", func(h *harness, e *v1beta1.Experiment) bool { return h.get(e).Status.Store != nil }, false},
		{"in a measurement", func(h *harness, e *v1beta1.Experiment) bool { return len(h.measurements()) > 0 }, false},
		{"while the run is removed", func(h *harness, e *v1beta1.Experiment) bool { return len(h.measurements()) > 0 }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			experiment := h.create(nil)
			h.until(experiment, func() bool { return test.until(h, experiment) })
			require.Contains(t, h.get(experiment).Finalizers, v1beta1.Finalizer)
			if test.deleted {
				require.NoError(t, h.client.Delete(h.ctx, h.get(experiment)))
			}
			h.deleteNamespace()
			steps := 0
			for ; h.present(experiment) && len(h.get(experiment).Finalizers) > 0; steps++ {
				require.Less(t, steps, 5, "Kubernetes leaves it five seconds: %s", h.describe(experiment))
				require.NoError(t, h.stepAlone(experiment))
			}
			for range 5 {
				require.NoError(t, h.stepAlone(experiment))
			}
			assert.False(t, test.deleted && h.present(experiment), "what was deleted is gone")
			if h.present(experiment) {
				assert.Empty(t, h.get(experiment).Finalizers, "it is not taken up again")
			}
		})
	}
}

func TestNoOperatorIsNeededToDeleteARunThatHasEndedOrWaits(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	ended := h.create(func(e *v1beta1.Experiment) { e.Name = "ended" })
	h.run(ended)
	under := h.create(func(e *v1beta1.Experiment) { e.Name = "under-way" })
	h.until(under, func() bool { return h.get(under).Status.StartedAt != nil })
	waits := h.create(func(e *v1beta1.Experiment) { e.Name = "waits" })
	for range 10 {
		require.NoError(t, h.step(waits))
	}
	refused := h.create(func(e *v1beta1.Experiment) { e.Name, e.Spec.Store.Chart = "refused", "no-such" })
	h.run(refused)
	for _, e := range []*v1beta1.Experiment{ended, waits, refused} {
		require.NoError(t, h.client.Delete(h.ctx, h.get(e)))
		assert.False(t, h.present(e), e.Name)
	}
}

// The operator was deleted with the namespace before it could remove the finalizer: only force helps.
func TestARunThatHoldsADeletedNamespaceIsReleasedByForce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.until(experiment, func() bool { return h.get(experiment).Status.Store != nil })
	require.NoError(t, h.client.Delete(h.ctx, h.get(experiment)))
	h.deleteNamespace()
	require.True(t, h.present(experiment), "its finalizer keeps it, and it keeps the namespace")

	scheme, err := operator.Scheme()
	require.NoError(t, err)
	watching, err := client.NewWithWatch(cluster, client.Options{Scheme: scheme})
	require.NoError(t, err)
	person := runs.New(watching, h.namespace, "test")
	how := runs.Removal{Poll: time.Millisecond, Patience: time.Minute}
	require.ErrorContains(t, person.Remove(h.ctx, h.get(experiment), how), "namespace "+h.namespace+" is being deleted, with its operator")
	// The deletion in the foreground has left a finalizer for the garbage collector, which does not run here.
	marked := h.get(experiment)
	marked.Finalizers = []string{v1beta1.Finalizer}
	require.NoError(t, h.client.Update(h.ctx, marked))
	how.Force = true
	var released *runs.ReleasedError
	require.ErrorAs(t, person.Remove(h.ctx, h.get(experiment), how), &released)
	assert.Equal(t, "its objects are deleted with the namespace", released.Left)
	assert.False(t, h.present(experiment))
}

// present reports whether the API server has the run.
func (h *harness) present(e *v1beta1.Experiment) bool {
	err := h.client.Get(h.ctx, client.ObjectKeyFromObject(e), &v1beta1.Experiment{})
	require.NoError(h.t, client.IgnoreNotFound(err))
	return !apierrors.IsNotFound(err)
}

// The time after the end of a run begins with its export: without one the run stays, whatever its spec says.
func TestFinishedRunIsRemovedAnHourAfterItsExportAndNotBefore(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.TTLAfterFinished = &metav1.Duration{Duration: time.Hour}
	})
	stays := func(why string) {
		t.Helper()
		for range 5 {
			require.NoError(t, h.step(experiment))
		}
		require.Nil(t, h.get(experiment).DeletionTimestamp, why)
		require.Len(t, h.measurements(), 2, why)
	}
	// The exporter marks the run with the end that it read; here, first with one of an export that was too early.
	mark := func(end metav1.Time) {
		t.Helper()
		changed := h.get(experiment)
		metav1.SetMetaDataAnnotation(&changed.ObjectMeta, v1beta1.AnnotationExportedEnd, v1beta1.ExportMark(end))
		require.NoError(t, h.client.Update(h.ctx, changed))
	}
	mark(metav1.NewTime(h.clock.Now()))
	h.clock.SetTime(h.clock.Now().Add(time.Minute))
	h.run(experiment)
	h.clock.SetTime(h.clock.Now().Add(1000 * time.Hour))
	stays("its last results were not exported")

	mark(*h.get(experiment).Status.FinishedAt)
	stays("its hour has begun")
	h.clock.SetTime(h.clock.Now().Add(50 * time.Minute))
	stays("its hour is not over")

	h.clock.SetTime(h.clock.Now().Add(20 * time.Minute))
	h.until(experiment, func() bool {
		return apierrors.IsNotFound(h.client.Get(h.ctx, client.ObjectKeyFromObject(experiment), &v1beta1.Experiment{}))
	})
	h.nothingLeft()
	for _, m := range h.measurements() {
		owner := metav1.GetControllerOf(&m)
		if assert.NotNil(t, owner, m.Name) {
			assert.Equal(t, experiment.UID, owner.UID, "the cluster's garbage collector removes what the run owned")
		}
	}
}

func TestALoadPodThatOthersKeepIsRemovedOnceMeterHasReported(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.stranger = "mesh-proxy"
	done := h.run(h.create(func(e *v1beta1.Experiment) { e.Spec.Load.Pods = 2 }))
	assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionSucceeded), h.describe(done))
	assert.Zero(t, done.Status.Invalid, h.describe(done))
	require.Len(t, h.measurements(), 2)
	for _, m := range h.measurements() {
		assert.Empty(t, m.Status.Failures)
		assert.Contains(t, m.Status.Warnings, "foreign container: mesh-proxy was injected into the load pods and may affect the figures; exclude it with spec.load.podAnnotations or podLabels")
	}
	h.nothingLeft()
	assert.Empty(t, list(h.ctx, h.world, &batchv1.JobList{}).Items)
	assert.Empty(t, list(h.ctx, h.world, &corev1.PodList{}).Items, "none holds its requests any more")
}

func TestAToolThatFailsIsSeenThoughOthersKeepItsPod(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.stranger, h.world.failLoad = "mesh-proxy", 1
	done := h.run(h.create(nil))
	succeeded := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionSucceeded)
	require.NotNil(t, succeeded)
	assert.Equal(t, metav1.ConditionFalse, succeeded.Status)
	assert.Equal(t, v1beta1.ReasonLoadFailed, succeeded.Reason)
	assert.Contains(t, succeeded.Message, "the tool says no")
	h.nothingLeft()
}

func TestALoadThatEndsWellAndDeliversNothingIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.mute = true
	experiment := h.create(nil)
	name := "quorum-r1-disruptor-write-1"
	began := h.clock.Now()
	h.until(experiment, func() bool { m := h.measurement(name); return m != nil && len(m.Status.Failures) > 0 })
	assert.Less(t, h.clock.Now().Sub(began), experiment.Spec.Load.Timeout.Duration/10)
	failure := h.measurement(name).Status.Failures[0]
	assert.Equal(t, v1beta1.FailureLoadPodLost, failure.Reason)
	assert.Contains(t, failure.Message, "ended with exit code 0 but delivered no result")
	h.world.mute = false
	assert.Zero(t, h.run(experiment).Status.Invalid, "the next attempt delivers")
}

func TestAJobOfSomebodyElseInTheWayEndsTheRun(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever, Containers: []corev1.Container{{Name: "c", Image: "i"}}}}
	strange := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "quorum-r1-disruptor-write-1-a1", Namespace: h.namespace}, Spec: batchv1.JobSpec{Template: template}}
	require.NoError(t, h.client.Create(h.ctx, strange))
	done := h.run(h.create(nil))
	failure := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionFailed)
	require.NotNil(t, failure)
	assert.Equal(t, v1beta1.ReasonLoadFailed, failure.Reason)
	assert.Contains(t, failure.Message, "job quorum-r1-disruptor-write-1-a1 with the same name does not belong to Ringside")
	require.NoError(t, h.client.Get(h.ctx, client.ObjectKeyFromObject(strange), strange), "it is left alone")
}

func TestARunsEndIsOneConditionToWaitFor(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.until(experiment, func() bool { return len(h.measurements()) == 2 })
	assert.Nil(t, meta.FindStatusCondition(h.get(experiment).Status.Conditions, v1beta1.ConditionSucceeded), "not before the end")
	done := h.run(experiment)
	succeeded := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionSucceeded)
	require.NotNil(t, succeeded)
	assert.Equal(t, metav1.ConditionTrue, succeeded.Status)
	assert.Equal(t, v1beta1.ReasonFinished, succeeded.Reason)
	assert.Contains(t, succeeded.Message, "2 measurements taken, 0 of them invalid")
}

// If Prometheus is scaled to 0, only this message explains why dashboards are empty.
func TestARunSaysThatNobodyScrapedIt(t *testing.T) {
	t.Parallel()
	for scraped, says := range map[bool]bool{false: true, true: false} {
		h := newHarness(t)
		h.world.holdLoad = true
		h.world.spoil = func(_ *v1beta1.Measurement, part *v1beta1.Part) time.Duration {
			part.Scraped = scraped
			return 0
		}
		experiment := h.create(nil)
		h.until(experiment, func() bool { return h.running("quorum-r1-disruptor-write-1") })
		h.clock.SetTime(h.clock.Now().Add(time.Minute))
		h.world.holdLoad = false
		done := h.run(experiment)
		assert.Equal(t, says, meta.IsStatusConditionFalse(done.Status.Conditions, v1beta1.ConditionScraped), h.describe(done))
		assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionSucceeded))
		if says {
			assert.Contains(t, progress.Unscraped(done), "no load pod had been scraped when it delivered")
		}
	}
}
