package rules

import (
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/results"
)

// checkIdle rejects idle phases with a load, and those whose figure would not be that of one server.
func checkIdle(spec *v1alpha1.ExperimentSpec) []Fault {
	var faults []Fault
	for _, phase := range spec.Phases {
		if asked := phase.PrimaryMetric; asked != "" && (asked == results.CPUAtRest) != phase.Idle {
			faults = append(faults, fault("remove primaryMetric", "phase %s: primary metric %s: only an idle phase has %s, and it has no other primary metric", phase.Name, asked, results.CPUAtRest))
		}
		if !phase.Idle {
			continue
		}
		switch {
		case phase.Duration == nil || phase.Duration.Duration <= 0:
			faults = append(faults, fault("set it in whole seconds, as in duration: 30s", "phase %s is idle, but has no duration", phase.Name))
		case phase.TargetRate > 0 || len(phase.SweepThreads)+len(phase.SweepConnections)+len(phase.SweepRates) > 0 || phase.Interleave != nil || phase.Capacity != nil:
			faults = append(faults, fault("remove them", "phase %s is idle, but has a rate, a sweep, a capacity search or windows", phase.Name))
		case phase.Prepare:
			faults = append(faults, fault("remove one of the two", "phase %s is idle, but prepares the store", phase.Name))
		}
		if hosted := hostedAtOnce(spec); hosted > 1 {
			faults = append(faults, fault("--set spec.store.hosting=Dedicated, or name one server with --server (SERVER=)",
				"phase %s is idle, but a shared store's CPU time at rest is that of all its %d servers", phase.Name, hosted))
		}
	}
	return faults
}
