package controller_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/runs/progress"
)

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
