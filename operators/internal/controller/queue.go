package controller

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// aheadInQueue returns the experiment that this one must wait for: an active one, or an older one that may begin. Two
// runs at the same time would disturb each other's figures. With a stale cache, two experiments could begin at once: the first of the cached ones
// reads them from the API server. The others do not, so that a queue of many runs costs no requests.
func (r *Reconciler) aheadInQueue(ctx context.Context, experiment *v1beta1.Experiment) (string, error) {
	for _, from := range []client.Reader{r.Client, r.Reader} {
		var list v1beta1.ExperimentList
		if err := from.List(ctx, &list, client.InNamespace(experiment.Namespace), client.UnsafeDisableDeepCopy); err != nil {
			return "", fmt.Errorf("list the experiments: %w", err)
		}
		if ahead := pickAhead(experiment, list.Items); ahead != "" {
			return ahead, nil
		}
	}
	return "", nil
}

// inQueue has what decides about an experiment's place in the queue.
type inQueue struct{ started, finished, deleted, suspended bool }

func placeOf(object client.Object) inQueue {
	experiment, ok := object.(*v1beta1.Experiment)
	if !ok {
		return inQueue{}
	}
	return inQueue{experiment.Status.StartedAt != nil, experiment.Status.FinishedAt != nil, experiment.DeletionTimestamp != nil, experiment.Spec.Suspend}
}

// moves lets through what may change which of the other experiments is next: not the progress of one.
func moves() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { return placeOf(e.ObjectOld) != placeOf(e.ObjectNew) }}
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
