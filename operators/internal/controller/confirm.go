package controller

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// confirm returns a conflict if the Experiment, or the given Measurement, is no longer the version that the step was
// decided on. A step calls it before it creates or deletes other objects: the API server rejects a status write that
// was decided on a stale cache, but not the creation or deletion of another object.
func (r *Reconciler) confirm(ctx context.Context, o observed, measurement *v1beta1.Measurement) error {
	if err := r.confirmObject(ctx, o.experiment, &v1beta1.Experiment{}, "experiments"); err != nil {
		return err
	}
	if measurement != nil {
		return r.confirmObject(ctx, measurement, &v1beta1.Measurement{}, "measurements")
	}
	return nil
}

func (r *Reconciler) confirmObject(ctx context.Context, observed, present client.Object, resource string) error {
	err := r.Reader.Get(ctx, client.ObjectKeyFromObject(observed), present)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("get %s %s: %w", resource, observed.GetName(), err)
	}
	if err != nil || present.GetResourceVersion() != observed.GetResourceVersion() {
		return apierrors.NewConflict(schema.GroupResource{Group: v1beta1.GroupVersion.Group, Resource: resource}, observed.GetName(),
			fmt.Errorf("decided on version %s, which is not the present one", observed.GetResourceVersion()))
	}
	return nil
}
