package controller

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// confirm that a step was decided on the Experiment and, where it is about one, the Measurement as they are now; the error is a
// conflict otherwise. Steps confirm that change what carries no resourceVersion of the run: a write to a status that was decided
// on a stale cache is refused by the API server, the making or deleting of another object is not.
func (r *Reconciler) confirm(ctx context.Context, o observed, measurement *v1alpha1.Measurement) error {
	if err := r.confirmObject(ctx, o.experiment, &v1alpha1.Experiment{}, "experiments"); err != nil {
		return err
	}
	if measurement != nil {
		return r.confirmObject(ctx, measurement, &v1alpha1.Measurement{}, "measurements")
	}
	return nil
}

func (r *Reconciler) confirmObject(ctx context.Context, observed, present client.Object, resource string) error {
	err := r.Reader.Get(ctx, client.ObjectKeyFromObject(observed), present)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("get %s %s: %w", resource, observed.GetName(), err)
	}
	if err != nil || present.GetResourceVersion() != observed.GetResourceVersion() {
		return apierrors.NewConflict(schema.GroupResource{Group: v1alpha1.GroupVersion.Group, Resource: resource}, observed.GetName(),
			fmt.Errorf("decided on version %s, which is not the present one", observed.GetResourceVersion()))
	}
	return nil
}
