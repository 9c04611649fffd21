package controller

import (
	"context"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// The finalizer keeps a deleted Experiment until its store is removed. A finalizer blocks until it is removed, and an
// Experiment that stays blocks the deletion of its namespace. Therefore:
//   - Only a run that has begun and not ended has it. Runs that wait, were rejected or have ended can be deleted
//     without an operator.
//   - An operator whose own namespace is deleted removes it at once (ending.go): all objects of a store are in that
//     namespace and are deleted with it. Kubernetes leaves an operator five seconds for that: its namespace controller
//     begins to delete the contents of a namespace, including the operator and its rights, five seconds after the
//     namespace was marked.
//   - If no operator is left, ringside remove --force removes it, and reports what may be left behind.

// addFinalizer keeps the Experiment until its store is removed.
type addFinalizer struct{}

func (addFinalizer) String() string { return "add the finalizer" }

func (addFinalizer) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	return again, r.patchFinalizer(ctx, o.experiment, controllerutil.AddFinalizer)
}

// removeFinalizer removes the finalizer, so that a deleted Experiment disappears.
type removeFinalizer struct{}

func (removeFinalizer) String() string { return "remove the finalizer" }

func (removeFinalizer) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	return ctrl.Result{}, client.IgnoreNotFound(r.patchFinalizer(ctx, o.experiment, controllerutil.RemoveFinalizer))
}

func (r *Reconciler) patchFinalizer(ctx context.Context, experiment *v1beta1.Experiment, change func(client.Object, string) bool) error {
	before := experiment.DeepCopy()
	change(experiment, v1beta1.Finalizer)
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	if err := r.Client.Patch(ctx, experiment, patch); err != nil {
		*experiment = *before // the change was not written
		return fmt.Errorf("patch the finalizer of experiment %s: %w", experiment.Name, err)
	}
	return nil
}
