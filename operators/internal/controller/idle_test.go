package controller_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestAPhaseOfRestAsksNothingOfTheStoreAndSaysWhatItUsed(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Load.Pods = 2
		e.Spec.Phases = append(e.Spec.Phases[:1], v1beta1.PhaseSpec{Name: "rest", Repeats: 1, Threads: 50, Type: v1beta1.PhaseIdle, Duration: &metav1.Duration{Duration: 10 * time.Second}})
	})
	var commands [][]string
	h.until(experiment, func() bool {
		for _, job := range list(h.ctx, h.world, &batchv1.JobList{}).Items {
			container := job.Spec.Template.Spec.Containers[0]
			if container.Command[len(container.Command)-1] == "idle" && len(commands) == 0 {
				commands = append(commands, container.Command)
				assert.Equal(t, int32(1), *job.Spec.Completions, "one looks, however many pods a load has")
				assert.True(t, hasVariable(container, "RINGSIDE_COUNTERS"))
			}
		}
		return h.get(experiment).Status.FinishedAt != nil
	})
	assert.Equal(t, [][]string{{"/ringside/meter", "tool", "/ringside/socket", "--", "/ringside/meter", "idle"}}, commands)
	assert.Equal(t, &v1beta1.Units{Operations: "entries"}, h.get(experiment).Status.Units, "as the store's chart says")
	rested := 0
	for _, m := range h.measurements() {
		require.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
		if m.Spec.Idle {
			rested++
			assert.Equal(t, v1beta1.Decimal("0.0500"), m.Status.Result.StoreCPU.IdleCores)
			assert.Zero(t, m.Status.Result.Operations)
		}
	}
	assert.Equal(t, 1, rested)
	h.nothingLeft()
}

func hasVariable(container corev1.Container, name string) bool {
	for _, variable := range container.Env {
		if variable.Name == name && variable.Value != "" {
			return true
		}
	}
	return false
}
