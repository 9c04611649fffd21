package rules

import (
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// checkSeconds finds times that cannot be told as they are: of a phase's duration a load is told whole seconds (RINGSIDE_DURATION_SECONDS), and the
// Job's deadline has whole seconds too. What is told in milliseconds, or in microseconds, is checked where it belongs.
func checkSeconds(spec *v1alpha1.ExperimentSpec) []Fault {
	var faults []Fault
	check := func(path string, told *time.Duration) {
		if told == nil || *told%time.Second == 0 {
			return
		}
		faults = append(faults, fault("use whole seconds, as in "+shortest(wholeSeconds(*told)), "%s is %s", path, *told))
	}
	check("spec.load.timeout", &spec.Load.Timeout.Duration)
	for _, phase := range spec.Phases {
		if phase.Duration != nil {
			check("spec.phases."+phase.Name+".duration", &phase.Duration.Duration)
		}
	}
	return faults
}

// shortest way to write a time: 2s, 1m30s, 2m, 1h.
func shortest(d time.Duration) string {
	text := d.String()
	for _, zero := range []struct{ end, unit string }{{"m0s", "m"}, {"h0m", "h"}} {
		if len(text) > len(zero.end) && text[len(text)-len(zero.end):] == zero.end {
			text = text[:len(text)-len(zero.end)] + zero.unit
		}
	}
	return text
}
