package rules

import (
	"fmt"
	"strings"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// checkProfiles finds phases that have no load of one server to take a profile under.
func checkProfiles(spec *v1alpha1.ExperimentSpec) []Fault {
	var faults []Fault
	for _, phase := range spec.Phases {
		if len(phase.Profile) == 0 {
			continue
		}
		out := fmt.Sprintf("take spec.phases.%s.profile out", phase.Name)
		asked := fmt.Sprintf("phase %s asks for profiles (%s)", phase.Name, events(phase.Profile))
		switch {
		case phase.Idle:
			faults = append(faults, fault(out, "%s, and is idle: there is no load to see the store under", asked))
		case phase.Prepare:
			faults = append(faults, fault(out+", or give it to a phase that is measured", "%s, and prepares the store, which is done once", asked))
		case phase.Capacity != nil:
			faults = append(faults, fault("give it to a phase at a rate", "%s, and searches for a capacity: that is no one load", asked))
		case phase.Interleave != nil && phase.Interleave.Mode == v1alpha1.InterleaveDuet:
			faults = append(faults, fault("use mode Windows, or "+out, "%s, and is a duet: of two servers at once neither's profile is its own", asked))
		}
	}
	return faults
}

func events(asked []v1alpha1.ProfileEvent) string {
	names := make([]string, len(asked))
	for i, event := range asked {
		names[i] = string(event)
	}
	return strings.Join(names, ", ")
}
