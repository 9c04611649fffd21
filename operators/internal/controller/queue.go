package controller

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// aheadInQueue returns the experiment that this one must wait for: an active one, or an older one that may begin. Two
// runs at the same time would disturb each other's figures. The list is read from the API server: with a stale cache,
// two experiments could begin at once.
func (r *Reconciler) aheadInQueue(ctx context.Context, experiment *v1beta1.Experiment) (string, error) {
	var list v1beta1.ExperimentList
	if err := r.Reader.List(ctx, &list, client.InNamespace(experiment.Namespace)); err != nil {
		return "", fmt.Errorf("list the experiments: %w", err)
	}
	return pickAhead(experiment, list.Items), nil
}

func pickAhead(experiment *v1beta1.Experiment, all []v1beta1.Experiment) string {
	for _, other := range all {
		if other.UID != experiment.UID && other.Status.StartedAt != nil && other.Status.FinishedAt == nil {
			return other.Name
		}
	}
	var first *v1beta1.Experiment
	for i := range all {
		other := &all[i]
		waiting := other.Status.StartedAt == nil && other.Status.FinishedAt == nil && other.DeletionTimestamp == nil && !other.Spec.Suspend
		if waiting && (first == nil || before(other, first)) {
			first = other
		}
	}
	if first == nil || first.UID == experiment.UID || before(experiment, first) {
		return ""
	}
	return first.Name
}

func before(a, b *v1beta1.Experiment) bool {
	if !a.CreationTimestamp.Equal(&b.CreationTimestamp) {
		return a.CreationTimestamp.Before(&b.CreationTimestamp)
	}
	return a.Name < b.Name
}
