package controller

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults"
	"ringside.dev/ringside/operators/internal/faults/helper"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
)

const (
	// killGrace is the shortest grace period that still keeps the pod until its processes have ended: with 0, its StatefulSet would start another
	// pod on the same volume meanwhile.
	killGrace = 1
	// faultPause is the polling interval after a request that the cache may not show yet.
	faultPause = 200 * time.Millisecond
)

// faultSeen returns a step that records new states of requested faults; nil if there are none.
func faultSeen(o observed, cell plan.Cell, measurement *v1beta1.Measurement) step {
	if seen, more := faults.Seen(measurement, o.podsOf(cell), o.now); more {
		return noteFaults{cell: cell, seen: seen}
	}
	return nil
}

// faultDue returns a step that requests a due fault; else it waits at most until the next one is due.
func faultDue(o observed, cell plan.Cell, measurement *v1beta1.Measurement, waiting wait) step {
	ask, after := faults.Next(measurement, o.podsOf(cell), o.now)
	if ask != nil {
		return askFault{cell: cell, fault: *ask}
	}
	if after > 0 && after < waiting.after {
		waiting.after = after
	}
	return waiting
}

// awaitHelpers waits for the helpers of a failed attempt, which might still affect a node during the next one.
func awaitHelpers(o observed, cell plan.Cell) step {
	busy := helper.Busy(store.Pods(o.objects.Pods), o.now)
	if busy <= 0 {
		return nil
	}
	return wait{after: min(busy, attentive), progress: progress{reason: v1beta1.ReasonMeasuring,
		message: fmt.Sprintf("measurement %s is waiting for the end of a fault of an earlier attempt", cell.Name),
		current: "waiting for the end of an earlier fault"}}
}

// noteFaults records the states of faults in the measurement.
type noteFaults struct {
	cell plan.Cell
	seen []v1beta1.FaultStatus
}

func (s noteFaults) String() string {
	return "note what became of the faults of measurement " + s.cell.Name
}

func (s noteFaults) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	return again, r.writeMeasurement(ctx, o, o.measurements[s.cell.Name], func(status *v1beta1.MeasurementStatus) { status.Faults = s.seen })
}

// askFault records the request and then requests the fault from the API server: an operator that dies between the two requests it again.
type askFault struct {
	cell  plan.Cell
	fault v1beta1.FaultStatus
}

func (s askFault) String() string {
	return fmt.Sprintf("fault %d of measurement %s hits store pod %s", s.fault.Index, s.cell.Name, s.fault.Pod)
}

func (s askFault) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	present, err := r.storePods(ctx, o)
	if err != nil {
		return ctrl.Result{}, err
	}
	measurement := o.measurements[s.cell.Name]
	ordered := measurement.Spec.Faults[s.fault.Index]
	name := faults.HelperOf(measurement, s.fault)
	pod := faults.Living(present, s.fault.UID)
	if pod == nil || helper.Asked(pod, name) {
		return ctrl.Result{RequeueAfter: faultPause}, nil // the request was recorded before; the cache will show its effect
	}
	fault := s.fault
	fault.AskedAt = metav1.NewMicroTime(r.Clock.Now())
	if !ordered.Kind.Timed() {
		fault.ClockOffsetMicros, fault.ClockErrorMicros = r.clockMicros()
	}
	err = r.writeMeasurement(ctx, o, measurement, func(status *v1beta1.MeasurementStatus) { status.Faults = faults.Set(status.Faults, fault) })
	if err != nil {
		return ctrl.Result{}, err
	}
	if !ordered.Kind.Timed() {
		err = r.killPod(ctx, pod)
	} else {
		err = r.sendHelper(ctx, pod, name, faults.OrderOf(measurement, fault.Index, pod))
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	r.event(o.experiment, normal, "Fault", "Measure", fmt.Sprintf("measurement %s: requested fault %s of store pod %s", s.cell.Name, ordered.What(), pod.Name))
	return ctrl.Result{RequeueAfter: faultPause}, nil
}

// clockMicros returns the offset of the operator's clock to the API server's and the bound of its error; nil if unknown.
func (r *Reconciler) clockMicros() (offset, wrong *int64) {
	if r.APIClock == nil {
		return nil, nil
	}
	return r.APIClock().Micros()
}

func (r *Reconciler) killPod(ctx context.Context, pod *corev1.Pod) error {
	if err := r.Client.Delete(ctx, pod, client.GracePeriodSeconds(killGrace), client.Preconditions{UID: &pod.UID}); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("kill store pod %s: %w", pod.Name, err)
	}
	return nil
}

// sendHelper adds the helper to a pod as it was read: another version of the pod, or another pod with its name, is a conflict.
func (r *Reconciler) sendHelper(ctx context.Context, pod *corev1.Pod, name string, order helper.Order) error {
	pod.Spec.EphemeralContainers = append(pod.Spec.EphemeralContainers, helper.Container(name, order, pod, r.MeterImage, corev1.PullPolicy(r.Images.PullPolicy)))
	if err := r.Client.SubResource("ephemeralcontainers").Update(ctx, pod); err != nil {
		return fmt.Errorf("send the helper for a %s into store pod %s: %w", order.Kind, pod.Name, err)
	}
	return nil
}
