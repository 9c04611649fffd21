package plan

import (
	"fmt"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Describe a measurement in a line for people: what tells it from the others of its experiment, and no more.
func Describe(experiment *v1alpha1.Experiment, spec *v1alpha1.MeasurementSpec) string {
	text := fmt.Sprintf("%s %s", spec.Server, spec.Phase)
	for _, phase := range experiment.Spec.Phases {
		if phase.Name != spec.Phase {
			continue
		}
		if phase.Repeats > 1 {
			text += fmt.Sprintf(" %d/%d", spec.Repeat, phase.Repeats)
		}
		if len(phase.SweepThreads) > 0 {
			text += fmt.Sprintf(", %d threads", spec.Threads)
		}
	}
	if experiment.Spec.Rounds > 1 {
		text += fmt.Sprintf(", round %d/%d", spec.Round, experiment.Spec.Rounds)
	}
	return text
}
