package controller

import (
	"context"
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
)

var jobKind = batchv1.SchemeGroupVersion.WithKind("Job")

// giveUpAttempt ends the attempt. If attempts remain, the next one begins when the store answers; else the measurement is finished
// without a result. A lost pod or a restarted store costs one row, and the run continues; a tool that failed in every attempt
// ends the run (see nextCell), because later phases would fail as well.
type giveUpAttempt struct {
	cell    plan.Cell
	failure v1beta1.FailureReason
	message string
	// hopeless is true if another attempt would fail as well.
	hopeless bool
}

func (s giveUpAttempt) String() string {
	return fmt.Sprintf("give up the attempt at measurement %s: %s", s.cell.Name, s.message)
}

func (s giveUpAttempt) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	measurement := o.measurements[s.cell.Name]
	attempt := measurement.Status.Attempt
	done := carriedOut(measurement)
	if done != "" {
		s.message = shortened(s.message + "; there is no further attempt: " + done)
	}
	last := s.hopeless || done != "" || attempt >= o.experiment.Spec.MaxAttempts
	if last {
		if err := r.finishCompanions(ctx, o, s); err != nil {
			return ctrl.Result{}, err
		}
	}
	err := r.writeMeasurement(ctx, o, measurement, func(status *v1beta1.MeasurementStatus) {
		noteFailure(status, attempt, s.failure, s.message, metav1.NewTime(o.now))
		if last {
			status.Parts = recorded(o.parts[measurement.Name])
			finishWithout(status)
			return
		}
		resetAttempt(status, attempt+1)
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	r.event(o.experiment, warning, string(s.failure), "Measure", fmt.Sprintf("measurement %s, attempt %d: %s", measurement.Name, attempt, s.message))
	// If the operator dies before this, the job is stopped later as one of an earlier attempt.
	return again, r.deleteJob(ctx, measurement.Namespace, plan.JobName(measurement.Name, attempt))
}

// carriedOut describes the maintenance that a node of the store was ordered to do in the attempt; empty if there was none. Its helper carries it out
// even if the load is lost, and a second time there is less to do: another attempt would measure something else.
func carriedOut(measurement *v1beta1.Measurement) string {
	for _, fault := range measurement.Status.Faults {
		if ordered := measurement.Spec.Faults[fault.Index]; ordered.Kind == v1beta1.FaultMaintain && fault.Failure == "" {
			return fmt.Sprintf("node %d was ordered to carry out %s, and would have less to do the second time", ordered.Node, ordered.Task)
		}
	}
	return ""
}

// finishCompanions finishes the companions without a result, before their lead. (While attempts remain, they follow the
// lead to the next one.)
func (r *Reconciler) finishCompanions(ctx context.Context, o observed, s giveUpAttempt) error {
	lead := o.measurements[s.cell.Name]
	for _, companion := range o.companions(s.cell) {
		if companion.Finished() {
			continue
		}
		err := r.writeMeasurement(ctx, o, companion, func(status *v1beta1.MeasurementStatus) {
			status.Attempt, status.Failures = lead.Status.Attempt, slices.Clone(lead.Status.Failures)
			noteFailure(status, lead.Status.Attempt, s.failure, s.message, metav1.NewTime(o.now))
			status.Parts = recorded(o.parts[companion.Name])
			finishWithout(status)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func noteFailure(status *v1beta1.MeasurementStatus, attempt int32, reason v1beta1.FailureReason, message string, now metav1.Time) {
	for _, failure := range status.Failures {
		if failure.Attempt == attempt {
			return
		}
	}
	status.Failures = append(status.Failures, v1beta1.AttemptFailure{Attempt: attempt, Reason: reason, Message: message, At: now})
}

// finishWithout finishes a measurement without a result. Its reasons are those of the attempts.
func finishWithout(status *v1beta1.MeasurementStatus) {
	status.Valid = false
	status.InvalidReasons, status.Reasons = nil, nil
	for _, failure := range status.Failures {
		if reason := v1beta1.Reason(failure.Reason); !slices.Contains(status.Reasons, reason) {
			status.Reasons = append(status.Reasons, reason)
		}
		status.InvalidReasons = append(status.InvalidReasons, fmt.Sprintf("attempt %d: %s: %s", failure.Attempt, failure.Reason, failure.Message))
	}
}
