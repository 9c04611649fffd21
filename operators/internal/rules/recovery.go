package rules

import (
	"fmt"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/results"
)

// killMargin is what must be left of a phase when the store is killed: a load that is over tells of nobody's return.
const killMargin = 2 * time.Second

// checkRecoveries finds what keeps a kill from being the store's only one, or its cost from being one server's.
func checkRecoveries(spec *v1alpha1.ExperimentSpec) []Fault {
	var faults []Fault
	before := ""
	for _, phase := range spec.Phases {
		if asked := phase.PrimaryMetric; asked != "" && (asked == results.RecoveryTime) != (phase.Recovery != nil) {
			faults = append(faults, fault("leave primaryMetric out",
				"phase %s: primary metric %s: a phase in which the store is killed has %s, and no other phase has it", phase.Name, asked, results.RecoveryTime))
		}
		if phase.Recovery == nil {
			continue
		}
		out := fmt.Sprintf("take spec.phases.%s.recovery out", phase.Name)
		at := phase.Recovery.KillAfter.Duration
		switch {
		case at < time.Millisecond || at%time.Millisecond != 0:
			faults = append(faults, fault("give whole milliseconds, as in killAfter: 10s", "phase %s kills the store after %s", phase.Name, at))
		case phase.Duration == nil || phase.Duration.Duration < at+killMargin:
			faults = append(faults, fault("kill it earlier, or make the phase longer", "phase %s kills the store after %s, and is to last %s beyond that", phase.Name, at, killMargin))
		case phase.Idle || phase.Interleave != nil || phase.Capacity != nil || len(phase.Profile) > 0:
			faults = append(faults, fault(out+", or idle, interleave, capacity and profile", "phase %s kills the store, and is idle, a search, profiled or of several servers", phase.Name))
		case phase.Prepare:
			faults = append(faults, fault("take one of the two out", "phase %s kills the store, and prepares it", phase.Name))
		case before != "" || phase.Repeats > 1 || len(phase.Points()) > 1:
			// The second start of a container within minutes waits for ten seconds, the third for twenty: that would be measured.
			faults = append(faults, fault("kill it once, and ask for rounds (ROUNDS=), each of which has a store of its own",
				"phase %s kills the same store again, and Kubernetes puts off the second start of a container", phase.Name))
		}
		before = phase.Name
		if spec.Store.Hosting == v1alpha1.HostingShared {
			faults = append(faults, fault("--set spec.store.hosting=Dedicated", "phase %s kills the store, and a shared store is every server's, in all rounds", phase.Name))
		}
	}
	return faults
}
