package controller

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// fail ends the run early. What it has installed is removed next, and then it is finished.
func (r *Reconciler) fail(ctx context.Context, o observed, next step) error {
	message := next.message
	if next.crashedIn.pod != "" {
		if words := strings.TrimSpace(r.lastWords(ctx, o.experiment.Namespace, next.crashedIn)); words != "" {
			message += "; its last words: " + shortened(words)
		}
	}
	err := r.writeStatus(ctx, o, func(status *v1alpha1.ExperimentStatus) {
		o.condition(status, v1alpha1.ConditionFailed, true, next.reason, message)
		o.condition(status, v1alpha1.ConditionComplete, false, next.reason, "the run ended early")
		status.Current = "ends early"
	})
	if err == nil {
		r.event(o.experiment, warning, next.reason, "Fail", message)
	}
	return err
}

// finish closes the run: nothing of it is left but its results.
func (r *Reconciler) finish(ctx context.Context, o observed) error {
	failure := meta.FindStatusCondition(o.experiment.Status.Conditions, v1alpha1.ConditionFailed)
	hasFailed := failure != nil && failure.Status == metav1.ConditionTrue
	var message string
	err := r.writeStatus(ctx, o, func(status *v1alpha1.ExperimentStatus) {
		count(o, status)
		now := metav1.NewTime(o.now)
		status.FinishedAt = &now
		status.Current = ""
		if hasFailed {
			message = fmt.Sprintf("ended early with %d of %d measurements: %s", status.Finished, status.Planned, failure.Message)
			o.condition(status, v1alpha1.ConditionProgressing, false, v1alpha1.ReasonFailed, message)
			return
		}
		message = fmt.Sprintf("%d measurements taken, %d of them invalid", status.Finished, status.Invalid)
		o.condition(status, v1alpha1.ConditionComplete, true, v1alpha1.ReasonFinished, message)
		o.condition(status, v1alpha1.ConditionFailed, false, v1alpha1.ReasonFinished, "the run came to its end")
		o.condition(status, v1alpha1.ConditionProgressing, false, v1alpha1.ReasonFinished, message)
	})
	if err == nil {
		r.event(o.experiment, normal, v1alpha1.ReasonFinished, "Finish", message)
	}
	return err
}
