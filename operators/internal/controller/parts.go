package controller

import (
	"context"
	"fmt"
	"slices"
	"strings"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
)

// observeParts reads what the load pods of the current cell have reported, and finds the reports of finished measurements.
func (r *Reconciler) observeParts(ctx context.Context, o *observed) error {
	var list v1beta1.MeasurementPartList
	err := r.Client.List(ctx, &list, client.InNamespace(o.experiment.Namespace), client.MatchingLabels{v1beta1.LabelRun: o.experiment.RunID()}, client.UnsafeDisableDeepCopy)
	if err != nil {
		return fmt.Errorf("list the run's measurement parts: %w", err)
	}
	if cell, pending := o.currentCell(); pending && o.measurements[cell.Name] != nil {
		o.parts = plan.PartsOf(o.measurements[cell.Name], list.Items)
	}
	for i := range list.Items {
		name := list.Items[i].Labels[v1beta1.LabelMeasurement]
		if measurement := o.measurements[name]; measurement != nil && measurement.Finished() && list.Items[i].DeletionTimestamp == nil && !slices.Contains(o.spentParts, name) {
			o.spentParts = append(o.spentParts, name)
		}
	}
	slices.Sort(o.spentParts)
	return nil
}

// twins returns two load pods that report with one index; nil if there are none. Kubernetes may start a second pod for an index before it notices the
// first one, and both would drive load.
func twins(parts []v1beta1.Part) []string {
	for i := range parts[min(1, len(parts)):] {
		if parts[i].Index == parts[i+1].Index {
			return []string{parts[i].Pod, parts[i+1].Pod}
		}
	}
	return nil
}

// recorded returns the parts as the Measurement keeps them: one for each index, without the steps of a capacity search, which its result has, and
// done where the result was delivered before the pod was lost.
func recorded(parts []v1beta1.Part) []v1beta1.Part {
	out := slices.CompactFunc(slices.Clone(parts), func(a, b v1beta1.Part) bool { return a.Index == b.Index })
	for i := range out {
		out[i].Capacity = nil
		if hasResult(out[i]) {
			out[i].State = v1beta1.PartDone
		}
	}
	return out
}

// removeParts deletes the reports of finished measurements, which have recorded them. Otherwise they would be the most numerous objects of a
// namespace: one for each load pod of each measurement. It is done while the next load starts (createJob), and after the last load.
type removeParts struct{ measurements []string }

func (s removeParts) String() string {
	return "remove the recorded reports of the load pods of " + strings.Join(s.measurements, ", ")
}

func (s removeParts) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	return ctrl.Result{RequeueAfter: faultPause}, s.remove(ctx, r, o) // the cache will show the deletion
}

func (s removeParts) remove(ctx context.Context, r *Reconciler, o observed) error {
	for _, name := range s.measurements {
		err := r.Client.DeleteAllOf(ctx, &v1beta1.MeasurementPart{}, client.InNamespace(o.experiment.Namespace), client.MatchingLabels{v1beta1.LabelMeasurement: name})
		if err != nil {
			return fmt.Errorf("delete the parts of measurement %s: %w", name, err)
		}
	}
	return nil
}

// otherState passes the changes of a load pod's report that can lead to another step: not its progress, and not its deletion after it was recorded.
func otherState() predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			before, wasPart := e.ObjectOld.(*v1beta1.MeasurementPart)
			after, isPart := e.ObjectNew.(*v1beta1.MeasurementPart)
			return !wasPart || !isPart || before.Part.State != after.Part.State
		},
		DeleteFunc: func(event.DeleteEvent) bool { return false },
	}
}
