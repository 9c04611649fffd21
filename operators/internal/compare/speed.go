package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// MachineSpeed is the covariate for which intervals of CPU times at a constant rate are adjusted.
const MachineSpeed = "machine speed"

// leastOthers is the number of further servers needed to estimate the machine's speed in a round.
const leastOthers = 3

// adjustForSpeed narrows the intervals of the CPU time per operation at a constant rate, of the whole store and of the servers' own
// threads, before verdicts are given. This CPU time depends on the current speed of the machine, but not equally for all servers: spinning
// threads use all the time there is. The speed in a round is estimated from the CPU times of the other servers, whose noise is independent
// of the two that are compared.
func (r *Result) adjustForSpeed(run *archive.Run, baseline string) {
	drawn := map[string]*sample{} // filled only if there is something to adjust
	adjusted := 0
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if lost := c.sample.Lost; !isCPUTime(c.Metric.Name) || c.Cell.TargetRate == 0 || len(lost) != 1 || lost[0] > 0 || !c.Known() {
			continue
		}
		of := func(server string) map[replicate]float64 {
			if drawn[server] == nil {
				drawn[server] = draw(Arm{run, server}, baseline, kindsOf(run))
			}
			return drawn[server].figures(c.Cell, c.Metric).values
		}
		bases, values := of(baseline), of(c.Server)
		replicates := slices.SortedFunc(maps.Keys(bases), byTime)
		replicates = slices.DeleteFunc(replicates, func(u replicate) bool { _, both := values[u]; return !both })
		var others []map[replicate]float64
		for _, server := range Servers(run) {
			if server != baseline && server != c.Server {
				others = append(others, of(server))
			}
		}
		speed := speedOf(replicates, others)
		if speed == nil {
			continue
		}
		if estimate, done := ratio.Adjusted(c.sample.Figures[0], speed); done {
			c.Estimate, c.AdjustedFor = estimate, MachineSpeed
			adjusted++
		}
	}
	if adjusted > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("adjusted for the machine's speed, estimated from the other servers: %s of CPU time at a constant rate; they apply to the machine's speeds in these rounds",
			textfmt.Count(adjusted, "interval")))
	}
}

// isCPUTime reports whether a metric is the CPU time per operation of the whole store or of the server's own threads.
func isCPUTime(metric string) bool { return metric == cpuPerOperation || metric == results.CPUOfServer }

// speedOf estimates the machine's speed in each unit, on the logarithmic scale: the mean over the servers that have a figure in every unit;
// nil if there are too few such servers.
func speedOf(replicates []replicate, servers []map[replicate]float64) []float64 {
	speed, known := make([]float64, len(replicates)), 0
	for _, values := range servers {
		if slices.ContainsFunc(replicates, func(u replicate) bool { _, there := values[u]; return !there }) {
			continue
		}
		known++
		for i, u := range replicates {
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
