package controller

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// writeStatus applies a change to the status of the observed version of the experiment, and updates counters, nodes and conditions. It writes nothing
// if nothing changes.
func (r *Reconciler) writeStatus(ctx context.Context, o observed, what news, change func(*v1beta1.ExperimentStatus)) error {
	experiment := o.experiment
	before := experiment.DeepCopy()
	change(&experiment.Status)
	count(o, &experiment.Status)
	takeNodes(o, &experiment.Status)
	if current := what.activity.current; current != "" {
		experiment.Status.Current = shortened(current)
	}
	setConditions(&experiment.Status.Conditions, conditionsOf(o, what), experiment.Generation, o.now)
	experiment.Status.ObservedGeneration = experiment.Generation
	if equality.Semantic.DeepEqual(before.Status, experiment.Status) {
		return nil
	}
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	if err := r.Client.Status().Patch(ctx, experiment, patch); err != nil {
		*experiment = *before // the status was not written
		return fmt.Errorf("write the status of experiment %s: %w", experiment.Name, err)
	}
	return nil
}

// writeMeasurement applies a change to the status of the observed version of a measurement, which must be complete, and updates its conditions.
func (r *Reconciler) writeMeasurement(ctx context.Context, o observed, measurement *v1beta1.Measurement, change func(*v1beta1.MeasurementStatus)) error {
	if err := refuseInPart(measurement); err != nil {
		return err
	}
	after := measurement.DeepCopy()
	change(&after.Status)
	verdicts := conditionsOfMeasurement(after)
	after.Status.Conditions = slices.DeleteFunc(after.Status.Conditions, func(c metav1.Condition) bool {
		return !slices.ContainsFunc(verdicts, func(v verdict) bool { return v.kind == c.Type })
	})
	setConditions(&after.Status.Conditions, verdicts, after.Generation, o.now)
	after.Status.ObservedGeneration = after.Generation
	patch := client.MergeFromWithOptions(measurement, client.MergeFromWithOptimisticLock{})
	if err := r.Client.Status().Patch(ctx, after, patch); err != nil {
		return fmt.Errorf("write the status of measurement %s: %w", measurement.Name, err)
	}
	*measurement = *after
	return nil
}

// count updates the counters of measurements.
func count(o observed, status *v1beta1.ExperimentStatus) {
	if len(o.plan.Stores) == 0 {
		return
	}
	status.Planned, status.Finished, status.Invalid = 0, 0, 0
	for cell := range o.plan.All() {
		status.Planned++
		if measurement := o.measurements[cell.Name]; measurement != nil && measurement.Finished() {
			status.Finished++
			if !measurement.Status.Valid {
				status.Invalid++
			}
		}
	}
}

// asked adds to the message that the run will stop. Its reason becomes Suspended once it has stopped.
func (o observed) asked(what progress) progress {
	if o.experiment.Spec.Suspend && what.reason != v1beta1.ReasonSuspended && what.message != "" && o.experiment.DeletionTimestamp == nil {
		what.message += "; the run was asked to stop and stops before the next phase"
	}
	return what
}

// report writes the current activity to the status.
func (r *Reconciler) report(ctx context.Context, o observed, what progress) error {
	return r.writeStatus(ctx, o, news{activity: what}, func(*v1beta1.ExperimentStatus) {})
}

// reportUnready writes the current activity to the status while the store does not answer.
func (r *Reconciler) reportUnready(ctx context.Context, o observed, what progress) error {
	return r.writeStatus(ctx, o, news{activity: what, unready: true}, func(*v1beta1.ExperimentStatus) {})
}
