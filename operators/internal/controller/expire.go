package controller

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// expiry decides what becomes of a run that is over. It stays, unless its spec bounds its time and its results were exported after
// its end: what was exported before may lack the last of them.
func expiry(o observed) step {
	ttl := o.experiment.Spec.TTLAfterFinished
	if ttl == nil {
		return nothing{}
	}
	exported, err := time.Parse(time.RFC3339, o.experiment.Annotations[v1alpha1.AnnotationExportedAt])
	if err != nil || exported.Before(o.experiment.Status.FinishedAt.Truncate(time.Second)) {
		return nothing{}
	}
	if left := exported.Add(ttl.Duration).Sub(o.now); left > 0 {
		return lookAgain{after: left}
	}
	return removeRun{}
}

// lookAgain comes back for what the passing of time alone changes.
type lookAgain struct{ after time.Duration }

func (s lookAgain) String() string { return fmt.Sprintf("look again in %s", s.after) }

func (lookAgain) repeated() {}

func (s lookAgain) do(context.Context, *Reconciler, observed) (ctrl.Result, error) {
	return ctrl.Result{RequeueAfter: s.after}, nil
}

// removeRun deletes an exported run, and by their owner its measurements and logs. It must be the one that was looked at: its time may
// have been prolonged since.
type removeRun struct{}

func (removeRun) String() string { return "remove the exported run: its time is over" }

func (removeRun) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	e := o.experiment
	err := r.Client.Delete(ctx, e.DeepCopy(), client.PropagationPolicy(metav1.DeletePropagationBackground),
		client.Preconditions{UID: &e.UID, ResourceVersion: &e.ResourceVersion})
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, fmt.Errorf("delete experiment %s, exported and over: %w", e.Name, err)
	}
	return ctrl.Result{}, nil
}
