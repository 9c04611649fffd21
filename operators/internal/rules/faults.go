package rules

import (
	"fmt"
	"slices"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// What a fault must leave of its phase: a level before it, and time to see a node come back.
const (
	faultLead   = 5 * time.Second
	faultMargin = 10 * time.Second
)

// checkFaults finds faults that would never be seen, or whose cost could be told from nothing.
func checkFaults(spec *v1alpha1.ExperimentSpec) []Fault {
	var faults []Fault
	for _, phase := range spec.Phases {
		if len(phase.Faults) == 0 {
			continue
		}
		out := fmt.Sprintf("take spec.phases.%s.faults out", phase.Name)
		switch {
		case phase.Idle, phase.Prepare, phase.Interleave != nil, phase.Capacity != nil, phase.Recovery != nil, len(phase.Profile) > 0:
			faults = append(faults, fault(out+", or idle, prepare, interleave, capacity, recovery and profile", "phase %s has faults, and is idle, prepares, is of several servers, a search, a recovery or profiled", phase.Name))
		case slices.Min(ratesOf(phase)) == 0:
			faults = append(faults, fault(fmt.Sprintf("--set spec.phases.%s.targetOpsPerSecond=<a rate below what the nodes that are left can do>", phase.Name),
				"phase %s has faults and no rate: in a closed loop nobody is asked while nobody answers", phase.Name))
		}
		seen := map[int32]bool{}
		for i, f := range phase.Faults {
			faults = append(faults, checkFault(phase, i, f, seen[f.Node])...)
			seen[f.Node] = true
		}
	}
	return faults
}

func checkFault(phase v1alpha1.PhaseSpec, i int, f v1alpha1.FaultSpec, again bool) []Fault {
	what := fmt.Sprintf("fault %d of phase %s", i, phase.Name)
	at, lasts := f.At.Duration, f.Lasts()
	switch {
	case again:
		return []Fault{fault("hit each node once, and ask for repeats or rounds", "%s hits node %d again", what, f.Node)}
	case at%time.Millisecond != 0:
		return []Fault{fault("give whole milliseconds, as in at: 30s", "%s is at %s", what, at)}
	case lasts%time.Millisecond != 0:
		return []Fault{fault("give whole milliseconds, as in for: 10s", "%s is to last %s", what, lasts)}
	case f.Delays()%time.Millisecond != 0:
		return []Fault{fault("give whole milliseconds, as in delay: 50ms", "%s is to hold packets for %s", what, f.Delays())}
	case f.Leaves() < 0:
		return []Fault{fault("give a size, as in leave: 16Mi", "%s is to leave %s of the volume", what, f.Leave)}
	case at < faultLead:
		return []Fault{fault("let it come later", "%s is at %s, and the level before it takes %s to be known", what, at, faultLead)}
	case phase.Duration == nil || phase.Duration.Duration < at+lasts+faultMargin:
		return []Fault{fault("let it come earlier, or make the phase longer", "%s is over at %s, and the phase is to last %s beyond that", what, at+lasts, faultMargin)}
	}
	return nil
}
