package compare

import (
	"fmt"
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/plural"
	"ringside.dev/ringside/operators/internal/results"
)

// MachineSpeed is what the intervals of CPU times at a constant rate are adjusted for.
const MachineSpeed = "machine speed"

// leastOthers are how many further servers it takes to tell how fast the machine was in a round.
const leastOthers = 3

// adjustForSpeed narrows the intervals of the CPU time that an operation takes at a constant rate, of the whole store and of the servers' own
// threads; before verdicts are given. How much that is goes with how fast the machine is at the moment, and not for all servers alike: threads
// that spin take what time there is. The speed in a round is told by what the other servers took in it, of whose noise the two that are compared
// have nothing.
func (r *Result) adjustForSpeed(run *archive.Run, baseline string) {
	drawn := map[string]sample{} // of runs that have anything to adjust
	adjusted := 0
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if !isCPUTime(c.Metric.Name) || c.Cell.TargetRate == 0 || len(c.logs) != 1 {
			continue
		}
		of := func(server string) map[unit]float64 {
			if _, done := drawn[server]; !done {
				drawn[server] = draw(Arm{run, server}, baseline)
			}
			return drawn[server].values[c.Cell][c.Metric.Name]
		}
		units := slices.DeleteFunc(ordered(of(baseline)), func(u unit) bool { _, both := of(c.Server)[u]; return !both })
		if len(units) != len(c.logs[0]) { // pieces of rounds, of which the others have none of their own
			continue
		}
		var others []map[unit]float64
		for _, server := range Servers(run) {
			if server != baseline && server != c.Server {
				others = append(others, of(server))
			}
		}
		speed := speedOf(units, others)
		if speed == nil {
			continue
		}
		if estimate, done := ratio.Adjusted(c.logs[0], speed); done {
			c.Estimate, c.AdjustedFor = estimate, MachineSpeed
			adjusted++
		}
	}
	if adjusted > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("adjusted for the machine's speed, estimated from the other servers: %s of CPU time at a constant rate; they apply to the machine's speeds in these rounds",
			plural.Of(adjusted, "interval")))
	}
}

// isCPUTime that an operation takes: of the whole store, or of the server's own threads.
func isCPUTime(metric string) bool { return metric == cpuPerOperation || metric == results.CPUOfServer }

// speedOf the machine in each unit, on the logarithmic scale: the mean of what those servers took that have a figure in all of them; nil where
// they are too few.
func speedOf(units []unit, servers []map[unit]float64) []float64 {
	speed, known := make([]float64, len(units)), 0
	for _, values := range servers {
		if slices.ContainsFunc(units, func(u unit) bool { _, there := values[u]; return !there }) {
			continue
		}
		known++
		for i, u := range units {
			speed[i] += math.Log(values[u])
		}
	}
	if known < leastOthers {
		return nil
	}
	for i := range speed {
		speed[i] /= float64(known)
	}
	return speed
}
