package controller_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

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
