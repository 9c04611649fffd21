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

// expiry decides what becomes of a run that is over. It stays, unless its spec bounds its time and all of it was exported as it ended.
// Its time begins when the operator sees that, by the operator's clock: the clock of the machine that exported may be any.
func expiry(o observed) step {
	ttl, status := o.experiment.Spec.TTLAfterFinished, &o.experiment.Status
	switch {
	case ttl == nil, o.experiment.Annotations[v1alpha1.AnnotationExportedEnd] != v1alpha1.ExportMark(*status.FinishedAt):
		return nothing{}
	case status.ExportedAt == nil:
		return noteExport{}
	}
	if left := status.ExportedAt.Add(ttl.Duration).Sub(o.now); left > 0 {
		return lookAgain{after: left}
	}
	return removeRun{}
}

// noteExport records when the run was seen to be exported.
type noteExport struct{}

func (noteExport) String() string { return "note that the run is exported" }

func (noteExport) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	return again, r.writeStatus(ctx, o, func(status *v1alpha1.ExperimentStatus) { status.ExportedAt = &metav1.Time{Time: o.now} })
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
