package controller

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
	"ringside.dev/ringside/operators/internal/storechart"
)

// awaitStore returns the next step from a recorded store to one that answers.
func awaitStore(o observed, wanted plan.Store) step {
	installed := o.experiment.Status.Store
	timeout := o.experiment.Spec.Store.ReadyTimeout.Duration
	late := o.now.Sub(installed.InstalledAt.Time) > timeout
	leftovers := len(store.PodsOf(o.objects.Pods, o.unfinished))+len(store.ClaimsOf(o.objects.Claims, o.unfinished)) > 0
	switch {
	case o.release.State == storechart.Interrupted, o.release.State == storechart.Absent && leftovers:
		if late {
			return failed(v1beta1.ReasonStoreFailed, fmt.Sprintf("store %s could not be installed within %s; see the experiment's events for the cause", wanted.Release, timeout))
		}
		return clearRemains{release: o.unfinished, progress: progress{reason: v1beta1.ReasonInstallingStore,
			message: "removing remains of an interrupted installation of " + o.unfinished, current: "removing remains of store " + o.unfinished}}
	case o.release.State == storechart.Absent && begun(o, wanted):
		return storeLost(wanted)
	case o.release.State == storechart.Absent && late:
		return failed(v1beta1.ReasonStoreFailed, fmt.Sprintf("store %s could not be installed within %s; see the experiment's events for the cause", wanted.Release, timeout))
	case o.release.State == storechart.Absent:
		return installStore{release: wanted.Releases[slices.IndexFunc(wanted.Releases, func(r plan.Release) bool { return r.Name == o.unfinished })]}
	}
	if fault := storeFault(o); fault != nil {
		return fault
	}
	readiness := o.readiness(wanted)
	switch {
	case readiness.Ready():
		return proveStore{store: wanted}
	case late:
		return failed(v1beta1.ReasonStoreFailed, fmt.Sprintf("store %s did not answer within %s, waiting for %s%s%s; see its pods' logs, or raise store.readyTimeout",
			wanted.Release, timeout, readiness.Waiting, delay(o, o.objects.Pods), ofVolumes(o)))
	}
	return wait{after: attentive, progress: progress{reason: v1beta1.ReasonAwaitingStore,
		message: fmt.Sprintf("store %s is waiting for %s%s%s", wanted.Release, readiness.Waiting, delay(o, o.objects.Pods), ofVolumes(o)),
		current: "store " + wanted.Release + " is waiting for " + readiness.Waiting + delay(o, o.objects.Pods) + ofVolumes(o)}}
}

// storeFault ends a run if the store's pods are in a state from which they cannot recover.
func storeFault(o observed) step {
	fault := store.FindFault(o.objects.Pods, o.patience(), o.now)
	switch {
	case fault != nil:
		out := failRun{reason: v1beta1.ReasonStoreFailed, message: fault.Message}
		if fault.Unschedulable {
			out.message += heldBy(o) + ofVolumes(o)
		}
		if fault.Crashed {
			out.crashed = fault
		}
		return out
	case o.creationFault != "":
		return failed(v1beta1.ReasonStoreFailed, o.creationFault)
	case o.claimFault != "":
		return failed(v1beta1.ReasonStoreFailed, o.claimFault)
	}
	return nil
}

// ofVolumes describes why volumes keep store pods from being scheduled, to be appended to a message.
func ofVolumes(o observed) string {
	if o.claimTrouble == "" {
		return ""
	}
	return "; " + o.claimTrouble
}

// delay describes which pod waits for a node or an image, to be appended to a message.
func delay(o observed, pods []corev1.Pod) string {
	if waits := store.FindDelay(pods, o.patience()); waits != "" {
		return "; " + waits + heldBy(o)
	}
	return ""
}

// heldBy describes which pods hold the resources that a pod waits for, to be appended to a message.
func heldBy(o observed) string {
	if o.holders == "" {
		return ""
	}
	return "; of what nodes have, Ringside's pods hold: " + o.holders
}

// storeReturned returns nil while the store answers; else the step that waits for it, proves it again, or ends the run.
func storeReturned(o observed, wanted plan.Store) step {
	if o.release.State == storechart.Absent && len(store.PodsOf(o.objects.Pods, o.unfinished)) == 0 {
		return storeLost(wanted)
	}
	installed := o.experiment.Status.Store
	if missing := store.Missing(o.release.Workloads, o.objects); missing != "" && installed.ReadyAt != nil { // nobody would create it again
		return failed(v1beta1.ReasonStoreLost, fmt.Sprintf("%s of store %s was deleted during its measurements; start a new run", missing, wanted.Release))
	}
	readiness := o.readiness(wanted)
	if readiness.Ready() {
		if store.Change(installed.Pods, store.Lives(o.objects.Pods)) == "" {
			return nil
		}
		if pod := dataLost(o, wanted); pod != "" {
			return failed(v1beta1.ReasonStoreLost, fmt.Sprintf("store pod %s restarted between phases, but its server keeps no data when its process ends (%s=false), so the data of the next phases is lost; see the pod's events for the cause, and start a new run",
				pod, v1beta1.SurvivesKill))
		}
		return proveStore{store: wanted}
	}
	if fault := storeFault(o); fault != nil {
		return fault
	}
	timeout := o.experiment.Spec.Store.ReadyTimeout.Duration
	condition := meta.FindStatusCondition(o.experiment.Status.Conditions, v1beta1.ConditionStoreReady)
	if condition != nil && condition.Status != "True" && o.now.Sub(condition.LastTransitionTime.Time) > timeout {
		return failed(v1beta1.ReasonStoreFailed, fmt.Sprintf("store %s stopped answering and did not recover within %s, waiting for %s", wanted.Release, timeout, readiness.Waiting))
	}
	return awaitReady{progress{reason: v1beta1.ReasonAwaitingStore,
		message: fmt.Sprintf("store %s stopped answering and is waiting for %s%s", wanted.Release, readiness.Waiting, delay(o, o.objects.Pods)),
		current: "store " + wanted.Release + " is waiting for " + readiness.Waiting}}
}

// awaitReady waits for a store that stopped answering.
type awaitReady struct{ progress }

func (s awaitReady) String() string { return s.message }

func (awaitReady) repeated() {}

func (s awaitReady) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	return ctrl.Result{RequeueAfter: attentive}, r.reportUnready(ctx, o, s.progress)
}
