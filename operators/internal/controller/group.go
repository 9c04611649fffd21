package controller

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/plan"
)

// An interleaved phase is one load for a group of measurements, one per server. The leading one has the Job, the
// attempts and the failures. The lead is written last: after a crash, the next operator finds it unchanged and
// completes the group. In any other phase each measurement is its own group.

// companions returns the existing companions of the cell.
func (o *observed) companions(lead plan.Cell) []*v1beta1.Measurement {
	var out []*v1beta1.Measurement
	for _, cell := range o.plan.Group(lead)[1:] {
		if measurement := o.measurements[cell.Name]; measurement != nil {
			out = append(out, measurement)
		}
	}
	return out
}

// groupMissing reports whether a measurement of the group does not exist.
func (o *observed) groupMissing(lead plan.Cell) bool {
	return slices.ContainsFunc(o.plan.Group(lead), func(cell plan.Cell) bool { return o.measurements[cell.Name] == nil })
}

// groupBehind reports whether a companion is not at the start of the lead's attempt.
func (o *observed) groupBehind(lead plan.Cell) bool {
	attempt := o.measurements[lead.Name].Status.Attempt
	return slices.ContainsFunc(o.companions(lead), func(m *v1beta1.Measurement) bool { return !fresh(m, attempt) })
}

// fresh reports whether a measurement is at the start of an attempt.
func fresh(measurement *v1beta1.Measurement, attempt int32) bool {
	status := &measurement.Status
	return status.Attempt == attempt && status.StartAt == nil && len(status.Parts) == 0 && !measurement.Finished()
}

// groupBlocked returns the step for a blocked group; nil if it is not blocked.
func groupBlocked(o observed, lead plan.Cell) step {
	if lead.Spec.Lead != "" {
		return failed(v1beta1.ReasonLoadFailed, fmt.Sprintf("measurement %s was deleted after its interleaved phase had ended, and cannot be measured alone; start a new run", lead.Name))
	}
	for _, cell := range o.plan.Group(lead) {
		measurement := o.measurements[cell.Name]
		switch {
		case measurement == nil:
		case !metav1.IsControlledBy(measurement, o.experiment):
			return failed(v1beta1.ReasonLoadFailed, fmt.Sprintf("measurement %s belongs to another run; delete it, or give this run another name", cell.Name))
		case measurement.DeletionTimestamp != nil:
			return wait{after: attentive, progress: progress{reason: v1beta1.ReasonMeasuring, message: "measurement " + cell.Name + " is being deleted", current: plan.Describe(o.experiment, &lead.Spec)}}
		}
	}
	return nil
}

// loadEnded returns the step that collects the result of a load that has delivered all parts; nil while it has not.
func loadEnded(o observed, cell plan.Cell, measurement *v1beta1.Measurement) step {
	if pods := twins(o.parts[measurement.Name]); pods != nil {
		return giveUp(cell, v1beta1.FailureLoadPodLost, fmt.Sprintf("load pods %s drive the same share of the load, because Kubernetes started it twice", strings.Join(pods, " and ")))
	}
	if !o.delivered(measurement) {
		return nil
	}
	for _, member := range o.plan.Group(cell) {
		// Meter delivers the parts of companions with that of the lead.
		if companion := o.measurements[member.Name]; companion == nil || !o.delivered(companion) {
			return giveUp(cell, v1beta1.FailureLoadPodLost, "the load has ended, but its result for measurement "+member.Name+" is missing")
		}
	}
	return collectResult{cell: cell}
}

// delivered reports whether all load pods have delivered their part of the current attempt, and none still waits for the end of compactions.
func (o *observed) delivered(measurement *v1beta1.Measurement) bool {
	done := 0
	for _, part := range o.parts[measurement.Name] {
		if part.State == v1beta1.PartDone || part.State == v1beta1.PartSettling && o.waitIsOver(measurement, part) {
			done++
		}
	}
	return done == int(measurement.Spec.Pods)
}

// waitIsOver reports whether a pod that has delivered its result will not report the end of compactions any more: it is lost, or too late.
func (o *observed) waitIsOver(measurement *v1beta1.Measurement, part v1beta1.Part) bool {
	if measurement.Status.StartAt != nil && o.now.After(plan.EndsBy(o.experiment.Spec.Load, measurement, true).Add(startTolerance)) {
		return true
	}
	at := slices.IndexFunc(o.loadPods, func(pod corev1.Pod) bool { return pod.Name == part.Pod })
	if at < 0 {
		return true
	}
	pod := &o.loadPods[at]
	return loadgen.Failed(pod) || pod.DeletionTimestamp != nil && o.now.After(pod.DeletionTimestamp.Time)
}

// alignCompanions resets the companions to the start of the lead's attempt. Their state belongs to another attempt.
type alignCompanions struct{ cell plan.Cell }

func (s alignCompanions) String() string {
	return "bring the companions of measurement " + s.cell.Name + " to its attempt"
}

func (s alignCompanions) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	lead := o.measurements[s.cell.Name]
	if err := r.confirm(ctx, o, lead); err != nil {
		return ctrl.Result{}, err
	}
	for _, companion := range o.companions(s.cell) {
		if fresh(companion, lead.Status.Attempt) {
			continue
		}
		err := r.writeMeasurement(ctx, o, companion, func(status *v1beta1.MeasurementStatus) {
			*status = v1beta1.MeasurementStatus{Conditions: status.Conditions, Failures: slices.Clone(lead.Status.Failures)}
			resetAttempt(status, lead.Status.Attempt)
		})
		if err != nil {
			return ctrl.Result{}, err
		}
	}
	return again, nil
}
