package validation

import (
	"fmt"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// Bounds of an interleaved phase's windows: a shorter window is mostly the switch; with longer ones, neighbouring windows see different noise.
const (
	shortestWindow = 100 * time.Millisecond
	longestWindow  = time.Minute
	longestWarmup  = time.Hour
	// leastBlocks is the minimum: the noise cannot be estimated from a single block.
	leastBlocks = 2
)

// checkInterleaved rejects phases whose servers cannot be measured under one load.
func checkInterleaved(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	for _, phase := range spec.Phases {
		if phase.Interleave == nil {
			continue
		}
		found := checkSetting(spec, phase)
		if len(found) == 0 {
			found = checkWindows(spec, phase)
		}
		problems = append(problems, found...)
	}
	return problems
}

// checkSetting rejects settings of the experiment that an interleaved phase does not support.
func checkSetting(spec *v1beta1.ExperimentSpec, phase v1beta1.PhaseSpec) []problem.Problem {
	var problems []problem.Problem
	if !spec.Store.Hosting.AtOnce() {
		problems = append(problems, problem.New("--set spec.store.hosting=SideBySide or Shared, or remove spec.phases."+phase.Name+".interleave",
			"phase %s is interleaved, which needs all servers at once, but hosting is %s", phase.Name, v1beta1.HostingDedicated))
	}
	if spec.Load.Pods > 1 {
		problems = append(problems, problem.New("--set spec.load.pods=1", "phase %s is interleaved, which needs one load pod, but there are %d", phase.Name, spec.Load.Pods))
	}
	if len(spec.Servers) < 2 {
		problems = append(problems, problem.New("name two or more with --server (SERVER=), or remove spec.phases."+phase.Name+".interleave",
			"phase %s is interleaved, which needs two or more servers", phase.Name))
	}
	for _, threads := range threadCounts(phase) {
		if phase.Interleave.Mode == v1beta1.InterleaveDuet && threads%2 != 0 {
			problems = append(problems, problem.New(fmt.Sprintf("use %d", threads+1), "phase %s is a duet, which halves the threads, but has %d", phase.Name, threads))
		}
	}
	return problems
}

// checkWindows checks the windows' times and the phase's duration.
func checkWindows(spec *v1beta1.ExperimentSpec, phase v1beta1.PhaseSpec) []problem.Problem {
	window, warmup, leadIn := phase.Interleave.Window.Duration, phase.Interleave.Warmup.Duration, phase.Interleave.LeadIn.Duration
	switch {
	case window < shortestWindow || window > longestWindow || window%time.Millisecond != 0:
		return []problem.Problem{problem.New(fmt.Sprintf("use whole milliseconds from %s to %s", shortestWindow, longestWindow), "phase %s is interleaved in windows of %s", phase.Name, window)}
	case leadIn < 0 || leadIn > longestWindow || leadIn%time.Millisecond != 0:
		return []problem.Problem{problem.New(fmt.Sprintf("use whole milliseconds up to %s, or none", longestWindow), "phase %s is interleaved in windows after a lead-in of %s", phase.Name, leadIn)}
	case leadIn > 0 && phase.Capacity != nil:
		return []problem.Problem{problem.New("remove spec.phases."+phase.Name+".interleave.leadIn", "phase %s searches for a capacity, which has no lead-in", phase.Name)}
	case warmup < 0 || warmup > longestWarmup || warmup%time.Second != 0:
		return []problem.Problem{problem.New(fmt.Sprintf("use whole seconds up to %s", longestWarmup), "phase %s is interleaved after a warm-up of %s", phase.Name, warmup)}
	}
	if least := leastBlocks * plan.Block(phase.Interleave, len(spec.Servers)); phase.Lasts() < least {
		return []problem.Problem{problem.New(fmt.Sprintf("use %s or more, or shorter windows", wholeSeconds(least)),
			"phase %s has %s for windows of %s of %d servers, less than two for each", phase.Name, phase.Lasts(), window+leadIn, len(spec.Servers))}
	}
	return nil
}

// wholeSeconds rounds up to the resolution of a load's duration.
func wholeSeconds(d time.Duration) time.Duration {
	return (d + time.Second - 1).Truncate(time.Second)
}

// checkSharedConnections rejects servers that serve one connection at a time but would have connections of two entries in one phase.
func checkSharedConnections(spec *v1beta1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
	var problems []problem.Problem
	for _, phase := range spec.Phases {
		arms := map[string]string{}
		for _, server := range spec.Servers {
			kind, hosted := server.ServerType(), server.HostedAs()
			if other, there := arms[hosted]; there && phase.Interleave != nil && spec.Store.Hosting == v1beta1.HostingShared && chart.SingleConnection(kind) {
				problems = append(problems, problem.New("leave one of them out of --server, or give it an ownInstance", "servers %s and %s are the same %s, which serves one connection at a time, but interleaved phase %s keeps connections to both",
					other, server.Name, kind, phase.Name))
			}
			arms[hosted] = server.Name
		}
	}
	return problems
}
