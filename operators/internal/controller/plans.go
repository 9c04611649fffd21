package controller

import (
	"maps"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
)

// lastPlan keeps the plan of the run that was decided on last. Every decision needs it, and that of a large run has thousands of cells. Nobody may
// modify it. The zero value keeps none.
type lastPlan struct {
	// experiment has the fields from which the plan follows.
	experiment v1beta1.Experiment
	plan       plan.Plan
}

// of returns the plan of an accepted run.
func (l *lastPlan) of(e *v1beta1.Experiment) plan.Plan {
	if !samePlan(&l.experiment, e) {
		l.experiment = v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{UID: e.UID, Generation: e.Generation, Labels: e.Labels},
			Status: v1beta1.ExperimentStatus{Seed: e.Status.Seed, Precision: e.Status.Precision.DeepCopy()}}
		l.plan = plan.OfRun(e)
	}
	return l.plan
}

// samePlan reports whether two versions of Experiments have one plan. It follows from the spec, which a generation identifies, the name and labels, the
// seed, and the judgement of the rounds.
func samePlan(a, b *v1beta1.Experiment) bool {
	return a.UID == b.UID && a.Generation == b.Generation && maps.Equal(a.Labels, b.Labels) &&
		equality.Semantic.DeepEqual(a.Status.Seed, b.Status.Seed) && equality.Semantic.DeepEqual(a.Status.Precision, b.Status.Precision)
}
