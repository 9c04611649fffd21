package validation

import (
	"fmt"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

// checkProfiles rejects phases without a constant load on one server to profile.
func checkProfiles(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	for _, phase := range spec.Phases {
		if len(phase.Profile) == 0 {
			continue
		}
		out := fmt.Sprintf("remove spec.phases.%s.profile", phase.Name)
		asked := fmt.Sprintf("phase %s asks for profiles (%s)", phase.Name, events(phase.Profile))
		switch {
		case phase.Idle:
			problems = append(problems, problem.New(out, "%s but is idle: there is no load to profile", asked))
		case phase.Prepare:
			problems = append(problems, problem.New(out+", or set it on a measured phase", "%s but prepares the store, which happens only once", asked))
		case phase.Capacity != nil:
			problems = append(problems, problem.New("set it on a phase with a rate", "%s but searches for a capacity, at changing loads", asked))
		case phase.Interleave != nil && phase.Interleave.Mode == v1beta1.InterleaveDuet:
			problems = append(problems, problem.New("use mode Windows, or "+out, "%s but is a duet: profiles of two servers at once cannot be separated", asked))
		}
	}
	return problems
}

func events(asked []v1beta1.ProfileEvent) string {
	names := make([]string, len(asked))
	for i, event := range asked {
		names[i] = string(event)
	}
	return strings.Join(names, ", ")
}
