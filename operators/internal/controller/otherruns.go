package controller

import (
	"context"
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/gates"
	"ringside.dev/ringside/operators/internal/store"
)

// takeNodes adds to the nodes that the run has had since its store was recorded, for operators of other namespaces: who looks when it has
// ended learns where it was.
func takeNodes(o observed, status *v1alpha1.ExperimentStatus) {
	nodes := slices.Concat(status.OnNodes, store.NodesOf(slices.Concat(o.objects.Pods, o.loadPods)))
	slices.Sort(nodes)
	status.OnNodes = slices.Compact(nodes)
}

// otherRuns of other namespaces that were under way since the measurement's start. One at a time is a rule of each namespace alone.
func (r *Reconciler) otherRuns(ctx context.Context, o observed, measurement *v1alpha1.Measurement) ([]gates.OtherRun, error) {
	if !r.SeesOtherNamespaces || measurement.Status.StartAt == nil {
		return nil, nil
	}
	var all v1alpha1.ExperimentList
	if err := r.Reader.List(ctx, &all); err != nil {
		return nil, fmt.Errorf("list the experiments of all namespaces: %w", err)
	}
	return gates.RunsBeside(o.experiment.Namespace, all.Items, measurement.Status.StartAt.Time, o.now), nil
}
