package controller

import (
	"cmp"
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/precision"
	"ringside.dev/ringside/operators/internal/store"
)

// failRun ends the run early. Next, its store is removed, and then the run is finished.
type failRun struct {
	reason  string
	message string
	// crashed is a container whose last log lines are added to the message; nil if none crashed.
	crashed *store.Fault
}

func (s failRun) String() string { return "fail the run: " + s.message }

func (s failRun) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	message := s.message
	if s.crashed != nil {
		words := s.crashed.LastWords
		if words == "" {
			words = r.previousLog(ctx, o.experiment.Namespace, *s.crashed)
		}
		if words != "" {
			message += "; its last log lines: " + shortened(words)
		}
	}
	err := r.writeStatus(ctx, o, func(status *v1alpha1.ExperimentStatus) {
		o.condition(status, v1alpha1.ConditionFailed, true, s.reason, message)
		o.condition(status, v1alpha1.ConditionComplete, false, s.reason, "the run ended early")
		status.Current = "ends early"
	})
	if err == nil {
		r.event(o.experiment, warning, s.reason, "Fail", message)
	}
	return again, err
}

// finishRun finishes the run: only its results are left. It removes the finalizer first: an ended run must not need an operator to be deleted.
type finishRun struct{}

func (finishRun) String() string { return "finish the run" }

func (finishRun) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	if controllerutil.ContainsFinalizer(o.experiment, v1alpha1.Finalizer) {
		if err := r.patchFinalizer(ctx, o.experiment, controllerutil.RemoveFinalizer); err != nil {
			return ctrl.Result{}, err
		}
	}
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
			o.condition(status, v1alpha1.ConditionSucceeded, false, failure.Reason, message)
			o.condition(status, v1alpha1.ConditionProgressing, false, v1alpha1.ReasonFailed, message)
			return
		}
		message = fmt.Sprintf("%d measurements taken, %d of them invalid", status.Finished, status.Invalid)
		why := v1alpha1.ReasonFinished
		if judged := status.Precision; judged != nil {
			why, message = cmp.Or(judged.Reason, why), message+"; "+precision.Sentence(&o.experiment.Spec, judged)
		}
		if unscraped(o.measurements) {
			o.condition(status, v1alpha1.ConditionScraped, false, v1alpha1.ReasonNotScraped, notScraped)
		}
		o.condition(status, v1alpha1.ConditionComplete, true, why, message)
		o.condition(status, v1alpha1.ConditionSucceeded, true, why, message)
		o.condition(status, v1alpha1.ConditionFailed, false, v1alpha1.ReasonFinished, "the run finished")
		o.condition(status, v1alpha1.ConditionProgressing, false, v1alpha1.ReasonFinished, message)
	})
	if err == nil {
		r.event(o.experiment, normal, v1alpha1.ReasonFinished, "Finish", message)
	}
	return ctrl.Result{}, err
}
