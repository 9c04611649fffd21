package progress

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// describe a measurement for people who do not know the experiment: reads on hsha.
func describe(e *v1beta1.Experiment, spec *v1beta1.MeasurementSpec) string {
	at := slices.IndexFunc(e.Spec.Phases, func(p v1beta1.PhaseSpec) bool { return p.Name == spec.Phase })
	phase := v1beta1.PhaseSpec{Name: spec.Phase}
	if at >= 0 {
		phase = e.Spec.Phases[at]
	}
	text := loadOf(spec)
	switch {
	case len(phase.Sweep.Threads) > 0:
		text += " by " + textfmt.Count(int(spec.Threads), "thread")
	case len(phase.Sweep.Connections) > 0:
		text += " over " + textfmt.Count(int(spec.Connections), "connection")
	case len(phase.Sweep.Rates) > 0:
		text += fmt.Sprintf(" at %d/s", spec.TargetRate)
	}
	switch {
	case spec.Profile != nil:
		text = fmt.Sprintf("profile %s of %s under %s", spec.Profile.Event, spec.Server, text)
	case spec.Interleave != nil && spec.Interleave.Mode == v1beta1.InterleaveDuet:
		text += " on " + textfmt.Count(len(e.Spec.Servers)-1, "server") + ", each next to " + e.Spec.BaselineName()
	case spec.Interleave != nil:
		text += fmt.Sprintf(" on %d servers in turn", len(e.Spec.Servers))
	default:
		text += " on " + spec.Server
	}
	if phase.Repeats > 1 && spec.Profile == nil {
		text += fmt.Sprintf(", %d of %d", spec.Repeat, phase.Repeats)
	}
	return text
}

// loadOf a measurement: reads, or the phase by its name.
func loadOf(spec *v1beta1.MeasurementSpec) string {
	if spec.Phase == spec.Operation && (spec.Operation == "read" || spec.Operation == "write") {
		return spec.Operation + "s"
	}
	return spec.Phase
}

// where the run is, by its rounds; empty for a run of one round, and for a measurement that is of none.
func where(e *v1beta1.Experiment, spec *v1beta1.MeasurementSpec, atMost bool) string {
	text := ""
	switch rounds := e.Spec.Rounds; {
	case spec.Profile != nil, spec.Round == 0:
		return ""
	case atMost:
		text = fmt.Sprintf("round %d of at most %d", spec.Round, rounds)
	case rounds > 1:
		text = fmt.Sprintf("round %d of %d", spec.Round, rounds)
	}
	if of := e.Spec.InstallationCount(); of > 1 {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("installation %d of %d", spec.Installation, of)
	}
	return text
}
