package controller

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"ringside.dev/ringside/operators/api/v1beta1"
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
	failure := progress{reason: s.reason, message: message}
	err := r.writeStatus(ctx, o, news{failure: failure}, func(status *v1beta1.ExperimentStatus) {
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
	if controllerutil.ContainsFinalizer(o.experiment, v1beta1.Finalizer) {
		if err := r.patchFinalizer(ctx, o.experiment, controllerutil.RemoveFinalizer); err != nil {
			return ctrl.Result{}, err
		}
	}
	err := r.writeStatus(ctx, o, news{}, func(status *v1beta1.ExperimentStatus) {
		now := metav1.NewTime(o.now)
		status.FinishedAt = &now
		status.Current = ""
	})
	if outcome := meta.FindStatusCondition(o.experiment.Status.Conditions, v1beta1.ConditionSucceeded); err == nil && outcome != nil {
		r.event(o.experiment, normal, v1beta1.ReasonFinished, "Finish", outcome.Message)
	}
	return ctrl.Result{}, err
}
