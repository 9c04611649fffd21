package controller

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// expiry decides what happens to an ended run. It stays, unless it has a ttlAfterFinished and was completely exported. The time starts when
// the operator sees the export, by the operator's clock: the clock of the exporting machine may be wrong.
func expiry(o observed) step {
	ttl, status := o.experiment.Spec.TTLAfterFinished, &o.experiment.Status
	switch {
	case ttl == nil, o.experiment.Annotations[v1beta1.AnnotationExportedEnd] != v1beta1.ExportMark(*status.FinishedAt):
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
	return again, r.writeStatus(ctx, o, news{}, func(status *v1beta1.ExperimentStatus) { status.ExportedAt = &metav1.Time{Time: o.now} })
}

// lookAgain reconciles again after a time.
type lookAgain struct{ after time.Duration }

func (s lookAgain) String() string { return fmt.Sprintf("reconcile again in %s", s.after) }

func (lookAgain) repeated() {}

func (s lookAgain) do(context.Context, *Reconciler, observed) (ctrl.Result, error) {
	return ctrl.Result{RequeueAfter: s.after}, nil
}

// removeRun deletes an exported run, and with it its measurements and logs. It must be the observed version: its time may have been extended
// since.
type removeRun struct{}

func (removeRun) String() string { return "remove the exported run: its ttlAfterFinished has passed" }

func (removeRun) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	e := o.experiment
	err := r.Client.Delete(ctx, e.DeepCopy(), client.PropagationPolicy(metav1.DeletePropagationBackground),
		client.Preconditions{UID: &e.UID, ResourceVersion: &e.ResourceVersion})
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, fmt.Errorf("delete experiment %s after its ttlAfterFinished: %w", e.Name, err)
	}
	return ctrl.Result{}, nil
}
