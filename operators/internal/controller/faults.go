package controller

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/faults"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
)

const (
	// killGrace is the shortest that still keeps the pod until its processes have ended: with none, its StatefulSet starts another on the same
	// volume beside them.
	killGrace = 1
	// faultPause is how soon the cluster is looked at again that may not show yet what was asked of it.
	faultPause = 200 * time.Millisecond
)

// faultSeen notes what became of faults that were asked for; nil where that is nothing new.
func faultSeen(o observed, cell plan.Cell, measurement *v1alpha1.Measurement) step {
	if seen, more := faults.Seen(measurement.Status.Faults, store.Pods(o.objects.Pods), o.now); more {
		return noteFaults{cell: cell, seen: seen}
	}
	return nil
}

// faultDue asks for the fault that is due under a load that runs; else it waits no longer than until the next one is.
func faultDue(o observed, cell plan.Cell, measurement *v1alpha1.Measurement, waiting wait) step {
	ask, after := faults.Next(measurement, store.Pods(o.objects.Pods), o.now)
	if ask != nil {
		return askFault{cell: cell, fault: *ask}
	}
	if after > 0 && after < waiting.after {
		waiting.after = after
	}
	return waiting
}

// noteFaults in the measurement.
type noteFaults struct {
	cell plan.Cell
	seen []v1alpha1.FaultStatus
}

func (s noteFaults) String() string {
	return "note what became of the faults of measurement " + s.cell.Name
}

func (s noteFaults) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	return again, r.writeMeasurement(ctx, o.measurements[s.cell.Name], func(status *v1alpha1.MeasurementStatus) { status.Faults = s.seen })
}

// askFault of the API server, after it was noted that this is done: an operator that dies between the two asks again.
type askFault struct {
	cell  plan.Cell
	fault v1alpha1.FaultStatus
}

func (s askFault) String() string {
	return fmt.Sprintf("kill store pod %s under measurement %s", s.fault.Pod, s.cell.Name)
}

func (s askFault) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	present, err := r.storePods(ctx, o)
	if err != nil {
		return ctrl.Result{}, err
	}
	at := slices.IndexFunc(present, func(p corev1.Pod) bool { return string(p.UID) == s.fault.UID && p.DeletionTimestamp == nil })
	if at < 0 {
		return ctrl.Result{RequeueAfter: faultPause}, nil // it was asked for before, and the cache will tell
	}
	fault := s.fault
	fault.AskedAt = metav1.NewMicroTime(r.Clock.Now())
	err = r.writeMeasurement(ctx, o.measurements[s.cell.Name], func(status *v1alpha1.MeasurementStatus) { status.Faults = faults.Set(status.Faults, fault) })
	if err != nil {
		return ctrl.Result{}, err
	}
	pod := &present[at]
	if err := r.Client.Delete(ctx, pod, client.GracePeriodSeconds(killGrace), client.Preconditions{UID: &pod.UID}); client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, fmt.Errorf("kill store pod %s: %w", pod.Name, err)
	}
	r.event(o.experiment, normal, "Fault", "Measure", fmt.Sprintf("measurement %s: killed store pod %s, as ordered", s.cell.Name, pod.Name))
	return ctrl.Result{RequeueAfter: faultPause}, nil
}
