package validation

import (
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

// checkSeconds rejects times that are not whole seconds but are passed on as such: a phase's duration (RINGSIDE_DURATION_SECONDS) and the Job's
// deadline. Times in milliseconds or microseconds are checked elsewhere.
func checkSeconds(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	check := func(path string, told *time.Duration) {
		if told == nil || *told%time.Second == 0 {
			return
		}
		problems = append(problems, problem.New("use whole seconds, as in "+shortest(wholeSeconds(*told)), "%s is %s", path, *told))
	}
	check("spec.load.timeout", &spec.Load.Timeout.Duration)
	for _, phase := range spec.Phases {
		if phase.Duration != nil {
			check("spec.phases."+phase.Name+".duration", &phase.Duration.Duration)
		}
	}
	return problems
}

// shortest returns the shortest notation of a time: 2s, 1m30s, 2m, 1h.
func shortest(d time.Duration) string {
	text := d.String()
	for _, zero := range []struct{ end, unit string }{{"m0s", "m"}, {"h0m", "h"}} {
		if len(text) > len(zero.end) && text[len(text)-len(zero.end):] == zero.end {
			text = text[:len(text)-len(zero.end)] + zero.unit
		}
	}
	return text
}
