package controller

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/textfmt"
)

const (
	// attentive is the polling interval of a wait that may time out.
	attentive = 5 * time.Second
	// patient is the polling interval where watches report all changes.
	patient = 30 * time.Second
)

// nextStep returns the next step. It is pure: the same observation gives the same step.
func nextStep(o observed) step {
	experiment := o.experiment
	hasFinalizer := controllerutil.ContainsFinalizer(experiment, v1beta1.Finalizer)
	accepted := meta.FindStatusCondition(experiment.Status.Conditions, v1beta1.ConditionAccepted)
	switch {
	case o.namespaceEnds && hasFinalizer:
		return removeFinalizer{} // the store is deleted with its namespace
	case o.namespaceEnds, experiment.DeletionTimestamp != nil && !hasFinalizer:
		return nothing{}
	case experiment.DeletionTimestamp != nil:
		return cleanUp(o, removeFinalizer{})
	case experiment.Status.FinishedAt != nil:
		return expiry(o)
	case meta.IsStatusConditionTrue(experiment.Status.Conditions, v1beta1.ConditionFailed):
		return cleanUp(o, closeRun(o))
	case accepted == nil || accepted.Status == metav1.ConditionUnknown:
		return acceptSpec{}
	case experiment.Status.StartedAt == nil:
		return queue(o)
	case !hasFinalizer && anythingLeft(o):
		return addFinalizer{}
	}
	return nextCell(o)
}

// anythingLeft reports whether there is anything to measure, or a store to remove: then the finalizer is needed.
func anythingLeft(o observed) bool {
	_, pending := o.currentCell()
	return pending || o.experiment.Status.Store != nil
}

// queue waits for the experiments ahead.
func queue(o observed) step {
	switch {
	case o.experiment.Spec.Suspend:
		return suspended("before its start")
	case o.ahead != "":
		return wait{after: patient, progress: progress{reason: v1beta1.ReasonQueued, current: "waiting for " + o.ahead,
			message: fmt.Sprintf("experiment %s is running; this one starts when it has ended", o.ahead)}}
	}
	return startRun{}
}

// nextCell returns the next step of the first unfinished cell, on the store it belongs to.
func nextCell(o observed) step {
	if len(o.spentJobs) > 0 {
		return removeSpent{jobs: o.spentJobs}
	}
	for cell := range o.plan.All() {
		if cell.Spec.Lead != "" {
			continue // it failed with its lead, which has the message
		}
		if cell.Spec.Profile != nil {
			continue // a profile is no measurement, the run is complete without it
		}
		if measurement := o.measurements[cell.Name]; measurement != nil && toolFailed(measurement) {
			last := measurement.Status.Failures[len(measurement.Status.Failures)-1]
			return failed(v1beta1.ReasonLoadFailed, fmt.Sprintf("the load tool failed %s in measurement %s: %s",
				textfmt.Count(len(measurement.Status.Failures), "time"), cell.Name, last.Message))
		}
	}
	installed := o.experiment.Status.Store
	cell, pending := o.currentCell()
	if rounds, due := toJudge(o, cell, pending); due {
		return judgeRounds{rounds: rounds}
	}
	if !pending {
		return cleanUp(o, closeRun(o))
	}
	wanted := o.storeOf(cell)
	switch {
	case installed != nil && installed.Release != wanted.Release:
		return cleanUp(o, nothing{})
	case installed == nil && o.experiment.Spec.Suspend:
		return suspended("before the next store")
	case installed == nil && begun(o, wanted):
		return storeLost(wanted)
	case installed == nil:
		return recordStore{store: wanted}
	case installed.ReadyAt == nil:
		return awaitStore(o, wanted)
	}
	return measureCell(o, wanted, cell)
}

// cleanUp stops the load, removes the store, and then takes the given step.
func cleanUp(o observed, then step) step {
	switch {
	case len(o.activeJobs) > 0:
		return stopLoad{current: "stopping the load"}
	case len(o.spentJobs) > 0:
		return removeSpent{jobs: o.spentJobs}
	case len(o.spentParts) > 0:
		return removeParts{measurements: o.spentParts} // those of the last load
	case o.experiment.Status.Store != nil:
		return removeStore{progress{reason: v1beta1.ReasonRemovingStore,
			message: fmt.Sprintf("removing store %s and its data", o.experiment.Status.Store.Release),
			current: "removing store " + o.experiment.Status.Store.Release}}
	}
	return then
}

// begun reports whether something was already measured on the store. If it is no longer installed, its data is lost.
func begun(o observed, wanted plan.Store) bool {
	for _, cell := range wanted.Cells {
		if measurement := o.measurements[cell.Name]; measurement != nil && measurement.Finished() {
			return true
		}
	}
	return false
}

func storeLost(wanted plan.Store) step {
	return failed(v1beta1.ReasonStoreLost, fmt.Sprintf("store %s and its data were removed by someone else during its measurements; start a new run", wanted.Release))
}

func failed(reason, message string) step {
	return failRun{reason: reason, message: message}
}

func suspended(when string) step {
	return wait{progress: progress{reason: v1beta1.ReasonSuspended, message: "suspended " + when + "; set suspend to false to resume", current: "suspended"}}
}
