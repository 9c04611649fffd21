package controller_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

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
