package controller

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// page is the size of pages of whole measurements.
const page = 100

// observeWhole replaces measurements of the current cell that the cache holds in part by those of the API server. This
// concerns a companion that is finished while its lead is not: an operator stopped between the two writes, or the cache
// shows one before the other.
func (r *Reconciler) observeWhole(ctx context.Context, o *observed) error {
	cell, pending := o.currentCell()
	if !pending {
		return nil
	}
	for _, member := range o.plan.Group(cell) {
		held := o.measurements[member.Name]
		if held == nil || !isHeldInPart(held) {
			continue
		}
		whole := &v1beta1.Measurement{}
		err := r.Reader.Get(ctx, client.ObjectKeyFromObject(held), whole)
		switch {
		case apierrors.IsNotFound(err):
			delete(o.measurements, member.Name)
		case err != nil:
			return fmt.Errorf("get measurement %s: %w", member.Name, err)
		default:
			o.measurements[member.Name] = whole
		}
	}
	return nil
}

// wholeMeasurements returns the run's measurements with all figures, from the API server, by name.
func (r *Reconciler) wholeMeasurements(ctx context.Context, o observed) (map[string]*v1beta1.Measurement, error) {
	all := make(map[string]*v1beta1.Measurement, len(o.measurements))
	next := ""
	for {
		var list v1beta1.MeasurementList
		err := r.Reader.List(ctx, &list, client.InNamespace(o.experiment.Namespace), client.MatchingLabels{v1beta1.LabelRun: o.experiment.RunID()},
			client.Limit(page), client.Continue(next))
		if err != nil {
			return nil, fmt.Errorf("list the run's measurements: %w", err)
		}
		for i := range list.Items {
			all[list.Items[i].Name] = &list.Items[i]
		}
		if next = list.Continue; next == "" {
			return all, nil
		}
	}
}
