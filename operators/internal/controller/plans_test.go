package controller

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
)

func TestThePlanIsKeptWhileWhatItFollowsFromIsTheSame(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*v1beta1.Experiment)
		kept   bool
	}{
		"another version": {func(e *v1beta1.Experiment) { e.ResourceVersion, e.Status.Current = "2", "measuring" }, true},
		"another spec":    {func(e *v1beta1.Experiment) { e.Generation, e.Spec.Rounds = 2, 2 }, false},
		"another run":     {func(e *v1beta1.Experiment) { e.Labels = map[string]string{v1beta1.LabelRun: "other"} }, false},
		"another seed":    {func(e *v1beta1.Experiment) { e.Status.Seed = ptr.To(int64(2)) }, false},
		"another object":  {func(e *v1beta1.Experiment) { e.UID, e.Name = "f", "other" }, false},
		"judged rounds":   {func(e *v1beta1.Experiment) { e.Status.Precision = &v1beta1.PrecisionStatus{Rounds: 1} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := newScene().o.experiment
			var plans lastPlan
			before := plans.of(e)
			assert.Equal(t, plan.OfRun(e), before)
			test.change(e)
			after := plans.of(e)
			assert.Equal(t, plan.OfRun(e), after)
			assert.Equal(t, test.kept, &before.Stores[0] == &after.Stores[0])
		})
	}
}
