package controller

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
)

// A store that restarts between two phases answers again and proves its servers again, but its caches and compiled code are lost, and for an
// in-memory store also its data. This does not apply if a phase with faults or recovery ended the process: then that is measured. Phases are
// read from the plan, because the cache has no spec of a finished measurement.

// clocksApart is the accepted difference between a node's clock (since when a pod is ready) and the operator's (since when the store is).
const clocksApart = 10 * time.Second

// dataLost returns the pod that lost its data in an unplanned restart; empty if none did.
func dataLost(o observed, wanted plan.Store) string {
	last := lastOn(o, wanted)
	if last == nil || endsProcesses(*last) {
		return ""
	}
	installed, lives := o.experiment.Status.Store, store.Lives(o.objects.Pods)
	for _, proof := range installed.Proofs {
		if proof.Environment[v1beta1.SurvivesKill] == "false" && !store.SameLife(installed.Pods, lives, proof.Pod) {
			return proof.Pod
		}
	}
	return ""
}

// restartedBefore describes the store pod that had restarted before a measurement; empty if none had, or if an earlier phase ended one on
// purpose.
func restartedBefore(o observed, wanted plan.Store, measurement *v1beta1.Measurement) string {
	if slices.ContainsFunc(wanted.Cells, func(cell plan.Cell) bool { return endsProcesses(cell) && ended(o, cell) }) {
		return ""
	}
	installed := o.experiment.Status.Store
	if installed.ReadyAt == nil {
		return ""
	}
	for _, pod := range measurement.Status.StorePods {
		if pod.ReadySince != nil && pod.ReadySince.Sub(installed.ReadyAt.Time) > clocksApart {
			return fmt.Sprintf("store pod %s restarted or became unready after the store was ready, until %s: its caches may be cold and its code not compiled",
				pod.Name, pod.ReadySince.UTC().Format(time.TimeOnly))
		}
	}
	return ""
}

// maintainedBefore names the maintenance of a phase that a node has carried out in an earlier phase on the same store; empty if there is none.
func maintainedBefore(o observed, wanted plan.Store, measurement *v1beta1.Measurement) string {
	for _, fault := range measurement.Spec.Faults {
		same := func(other v1beta1.FaultSpec) bool {
			return other.Kind == fault.Kind && other.Task == fault.Task && other.Node == fault.Node
		}
		if fault.Kind == v1beta1.FaultMaintain && slices.ContainsFunc(wanted.Cells, func(cell plan.Cell) bool {
			return cell.Name != measurement.Name && ended(o, cell) && slices.ContainsFunc(cell.Spec.Faults, same)
		}) {
			return fmt.Sprintf("%s of node %d", fault.Task, fault.Node)
		}
	}
	return ""
}

// lastOn returns the cell of the last measurement that ended on the store; nil if there is none.
func lastOn(o observed, wanted plan.Store) *plan.Cell {
	var last *plan.Cell
	var at time.Time
	for i, cell := range wanted.Cells {
		if !ended(o, cell) {
			continue
		}
		if when := meta.FindStatusCondition(o.measurements[cell.Name].Status.Conditions, v1beta1.ConditionFinished).LastTransitionTime.Time; last == nil || !when.Before(at) {
			last, at = &wanted.Cells[i], when
		}
	}
	return last
}

func ended(o observed, cell plan.Cell) bool {
	m := o.measurements[cell.Name]
	return m != nil && m.Finished()
}

// endsProcesses reports whether a phase ends processes of the store on purpose.
func endsProcesses(cell plan.Cell) bool {
	return cell.Spec.Recovery != nil || len(cell.Spec.Faults) > 0
}
