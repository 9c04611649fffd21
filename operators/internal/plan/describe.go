package plan

import (
	"fmt"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Describe describes a measurement in one line for people: the properties in which it differs from the others of its experiment.
func Describe(experiment *v1beta1.Experiment, spec *v1beta1.MeasurementSpec) string {
	if len(spec.Arms) > 0 {
		return describeGroup(experiment, spec)
	}
	if spec.Profile != nil {
		return describe(experiment, spec, fmt.Sprintf("profile %s of %s, %s", spec.Profile.Event, spec.Server, spec.Phase))
	}
	return describe(experiment, spec, fmt.Sprintf("%s %s", spec.Server, spec.Phase))
}

// describeGroup describes the group of the leading measurement, by the properties that all its servers share.
func describeGroup(experiment *v1beta1.Experiment, spec *v1beta1.MeasurementSpec) string {
	how := fmt.Sprintf("%s, %d servers in windows of %s", describe(experiment, spec, spec.Phase), len(experiment.Spec.Servers), spec.Interleave.Window.Duration)
	if spec.Interleave.Mode == v1beta1.InterleaveDuet {
		how = fmt.Sprintf("%s, %d servers beside %s in windows of %s", describe(experiment, spec, spec.Phase), len(experiment.Spec.Servers)-1,
			experiment.Spec.BaselineName(), spec.Interleave.Window.Duration)
	}
	return how
}

// OnEach returns a suffix for the number of rounds if there are several installations; else empty.
func OnEach(spec *v1beta1.ExperimentSpec) string {
	if spec.InstallationCount() == 1 {
		return ""
	}
	return fmt.Sprintf(" on each of %d installations", spec.Installations)
}

func describe(experiment *v1beta1.Experiment, spec *v1beta1.MeasurementSpec, text string) string {
	for _, phase := range experiment.Spec.Phases {
		if phase.Name != spec.Phase {
			continue
		}
		if phase.Repeats > 1 && spec.Profile == nil {
			text += fmt.Sprintf(" %d/%d", spec.Repeat, phase.Repeats)
		}
		if len(phase.Sweep.Threads) > 0 {
			text += ", " + textfmt.Count(int(spec.Threads), "thread")
		}
		if len(phase.Sweep.Connections) > 0 {
			text += ", " + textfmt.Count(int(spec.Connections), "connection")
		}
		if len(phase.Sweep.Rates) > 0 {
			text += fmt.Sprintf(", %d/s", spec.TargetRate)
		}
	}
	if of := experiment.Spec.InstallationCount(); of > 1 {
		text += fmt.Sprintf(", installation %d/%d", spec.Installation, of)
	}
	switch rounds := experiment.Spec.Rounds; {
	case spec.Profile != nil: // a profile belongs to no round
	case experiment.Spec.StopsByItself():
		text += fmt.Sprintf(", round %d of at most %d", spec.Round, rounds)
	case rounds > 1:
		text += fmt.Sprintf(", round %d/%d", spec.Round, rounds)
	}
	return text
}
