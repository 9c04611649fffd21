package controller_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestAMeasurementThatBeganWithPendingCompactionsIsInvalidWhereTheExperimentSaysSo(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.spoil = func(_ *v1beta1.Measurement, part *v1beta1.Part) time.Duration {
		if part.Index == 0 {
			part.PendingCompactions = new(int64(6))
		}
		return 0
	}
	h.run(h.create(func(e *v1beta1.Experiment) {
		e.Spec.Phases = e.Spec.Phases[:1]
		e.Spec.Phases[0].AwaitCompactions = &metav1.Duration{Duration: time.Minute}
		e.Spec.Gates.PendingCompactions = v1beta1.GateEnforce
	}))
	measurements := h.measurements()
	require.NotEmpty(t, measurements)
	for _, m := range measurements {
		assert.Equal(t, &metav1.Duration{Duration: time.Minute}, m.Spec.AwaitCompactions)
		assert.Equal(t, new(int64(6)), m.Status.Result.PendingCompactions)
		assert.Equal(t, []v1beta1.Reason{v1beta1.GateCompactionsPending}, m.Status.Reasons, m.Name)
	}
	h.nothingLeft()
}
