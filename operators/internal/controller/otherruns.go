package controller

import (
	"context"
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/gates"
	"ringside.dev/ringside/operators/internal/store"
)

// takeNodes adds the current nodes to those that the run has used since its store was recorded. Operators of other
// namespaces read them, also after the run has ended.
func takeNodes(o observed, status *v1beta1.ExperimentStatus) {
	nodes := slices.Concat(status.OnNodes, store.NodesOf(slices.Concat(o.objects.Pods, o.loadPods)))
	slices.Sort(nodes)
	status.OnNodes = slices.Compact(nodes)
}

// otherRuns returns the runs of other namespaces that were active after the measurement's start. The queue serialises
// runs of one namespace only.
func (r *Reconciler) otherRuns(ctx context.Context, o observed, measurement *v1beta1.Measurement) ([]gates.OtherRun, error) {
	if !r.SeesOtherNamespaces || measurement.Status.StartAt == nil {
		return nil, nil
	}
	var all v1beta1.ExperimentList
	if err := r.Reader.List(ctx, &all); err != nil {
		return nil, fmt.Errorf("list the experiments of all namespaces: %w", err)
	}
	return gates.RunsBeside(o.experiment.Namespace, all.Items, measurement.Status.StartAt.Time, o.now), nil
}
