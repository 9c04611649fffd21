package controller

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
)

// A store that restarts between two phases answers again, and proves its servers again; but its caches and its compiled code are gone, and of a
// store that keeps nothing, its data. Neither is so where a phase of faults or of recovery ended the process: then that is what is measured.
// Phases are known by the plan: of a finished measurement the cache has no spec.

// clocksApart is how far a node's clock may be from the operator's: by the one it is told since when a pod is ready, by the other when the store was.
const clocksApart = 10 * time.Second

// dataLost says which pod's data went with its process though nobody asked for its end; empty where none did.
func dataLost(o observed, wanted plan.Store) string {
	last := lastOn(o, wanted)
	if last == nil || endsProcesses(*last) {
		return ""
	}
	installed, lives := o.experiment.Status.Store, store.Lives(o.objects.Pods)
	for _, proof := range installed.Proofs {
		if proof.Environment[v1alpha1.SurvivesKill] == "false" && !store.SameLife(installed.Pods, lives, proof.Pod) {
			return proof.Pod
		}
	}
	return ""
}

// restartedBefore says which of the store's pods a measurement found in another life than the store was installed with; empty where all were in their
// first, or where a phase before has ended one on purpose.
func restartedBefore(o observed, wanted plan.Store, measurement *v1alpha1.Measurement) string {
	if slices.ContainsFunc(wanted.Cells, func(cell plan.Cell) bool { return endsProcesses(cell) && ended(o, cell) }) {
		return ""
	}
	installed := o.experiment.Status.Store
	if installed.ReadyAt == nil {
		return ""
	}
	for _, pod := range measurement.Status.StorePods {
		if pod.ReadySince != nil && pod.ReadySince.Sub(installed.ReadyAt.Time) > clocksApart {
			return fmt.Sprintf("store pod %s was not ready, or restarted, until %s, after the store had been ready: its caches and compiled code may be those of a new process",
				pod.Name, pod.ReadySince.UTC().Format(time.TimeOnly))
		}
	}
	return ""
}

// lastOn is the cell whose measurement ended last on the store; nil where none has.
func lastOn(o observed, wanted plan.Store) *plan.Cell {
	var last *plan.Cell
	var at time.Time
	for i, cell := range wanted.Cells {
		if !ended(o, cell) {
			continue
		}
		if when := meta.FindStatusCondition(o.measurements[cell.Name].Status.Conditions, v1alpha1.ConditionFinished).LastTransitionTime.Time; last == nil || !when.Before(at) {
			last, at = &wanted.Cells[i], when
		}
	}
	return last
}

func ended(o observed, cell plan.Cell) bool {
	m := o.measurements[cell.Name]
	return m != nil && finished(m)
}

// endsProcesses says whether a phase ends processes of the store on purpose.
func endsProcesses(cell plan.Cell) bool {
	return cell.Spec.Recovery != nil || len(cell.Spec.Faults) > 0
}
