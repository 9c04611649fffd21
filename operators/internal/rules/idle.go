package rules

import (
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/results"
)

// checkIdle finds what keeps a phase of rest from being one, or its figure from being a server's.
func checkIdle(spec *v1alpha1.ExperimentSpec) []Fault {
	var faults []Fault
	for _, phase := range spec.Phases {
		if asked := phase.PrimaryMetric; asked != "" && (asked == results.CPUAtRest) != phase.Idle {
			faults = append(faults, fault("leave primaryMetric out", "phase %s: primary metric %s: an idle phase has %s, and no other phase has it", phase.Name, asked, results.CPUAtRest))
		}
		if !phase.Idle {
			continue
		}
		switch {
		case phase.Duration == nil || phase.Duration.Duration <= 0:
			faults = append(faults, fault("give it one of whole seconds, as in duration: 30s", "phase %s is idle, and has no duration to be so", phase.Name))
		case phase.TargetRate > 0 || len(phase.SweepThreads)+len(phase.SweepConnections)+len(phase.SweepRates) > 0 || phase.Interleave != nil || phase.Capacity != nil:
			faults = append(faults, fault("take them out", "phase %s is idle, and has a rate, a sweep, a search or windows for a load that there is not", phase.Name))
		case phase.Prepare:
			faults = append(faults, fault("take one of the two out", "phase %s is idle, and prepares the store", phase.Name))
		}
		if hosted := hostedAtOnce(spec); hosted > 1 {
			faults = append(faults, fault("--set spec.store.hosting=Dedicated, or name one server with --server (SERVER=)",
				"phase %s is idle, and what a shared store uses at rest is that of all its %d servers", phase.Name, hosted))
		}
	}
	return faults
}
