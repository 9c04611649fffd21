package measure

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// The store's counters (docs/reference/store-contract.md): CPU time of the process and of the server's threads in it, pauses of its collector, and how often
// its threads came off a core.
const (
	CPUCounter       = "cpu_ns"
	CPUServerCounter = cpuGroupPrefix + "server" + cpuGroupSuffix
	PauseCounter     = "gc_pause_ms"
	SwitchCounter    = "context_switches"
)

// CostCounters are kept of each window beside its operations: what servers are compared by, and nothing that could be read in the log nevertheless.
func CostCounters() []string { return []string{CPUCounter, CPUServerCounter, SwitchCounter} }

// Counters of CPU time of its groups of threads are named after the group.
const (
	cpuGroupPrefix  = "cpu_"
	cpuGroupSuffix  = "_ns"
	cpuOther        = "other"
	nanosecondsInUs = 1000
)

// storeCPU is what the store's processes used in the log's windows; nil where the store does not tell.
func storeCPU(l *Log) *v1alpha1.StoreCPU {
	sum, there := total(l.Counters)
	if !there {
		return nil
	}
	out := &v1alpha1.StoreCPU{Windows: int64(sum.Windows - sum.Unknown), UnknownWindows: int64(sum.Unknown), Operations: sum.Operations, Counters: sum.Values}
	if _, told := sum.Values[CPUCounter]; !told || sum.Operations == 0 {
		return out
	}
	out.PerOpMicros = Micros(CPUPerOperation(out, ""))
	for _, group := range cpuGroups(sum.Values) {
		out.Groups = append(out.Groups, v1alpha1.CPUGroup{Name: group, PerOpMicros: Micros(CPUPerOperation(out, group))})
	}
	return out
}

// CPUPerOperation in nanoseconds: of a group of threads, or of all for the empty name. Only where PerOpMicros is stated.
func CPUPerOperation(cpu *v1alpha1.StoreCPU, group string) float64 {
	nanos := cpu.Counters[CPUCounter]
	switch group {
	case "":
	case cpuOther:
		for _, known := range cpuGroups(cpu.Counters) {
			if known != cpuOther {
				nanos -= cpu.Counters[cpuGroupPrefix+known+cpuGroupSuffix]
			}
		}
	default:
		nanos = cpu.Counters[cpuGroupPrefix+group+cpuGroupSuffix]
	}
	return float64(nanos) / float64(cpu.Operations)
}

// cpuGroups that the counters tell, in order, the rest last; none where the process is not told apart.
func cpuGroups(counters map[string]int64) []string {
	var groups []string
	for _, name := range slices.Sorted(maps.Keys(counters)) {
		if group, ok := strings.CutPrefix(name, cpuGroupPrefix); ok && name != CPUCounter {
			if group, ok = strings.CutSuffix(group, cpuGroupSuffix); ok && group != "" && group != cpuOther {
				groups = append(groups, group)
			}
		}
	}
	if len(groups) > 0 {
		groups = append(groups, cpuOther)
	}
	return groups
}

// Micros formats nanoseconds as microseconds with one decimal.
func Micros(ns float64) v1alpha1.Decimal {
	return v1alpha1.Decimal(strconv.FormatFloat(ns/nanosecondsInUs, 'f', 1, 64))
}

// countersOf the pieces, in order; a counter that is not known of every window of every piece is left out.
func countersOf(counters []Counters, pieces []Cell) map[string][]int64 {
	starts := make([]Interval, len(pieces))
	for i, piece := range pieces {
		starts[i].Start = piece.Start
	}
	joined := joinCounters(counters, starts)
	if len(joined) != len(pieces) || slices.ContainsFunc(joined, func(c Counters) bool { return c.Unknown > 0 }) {
		return nil
	}
	var of map[string][]int64
	for _, name := range CostCounters() {
		var values []int64
		for _, c := range joined {
			if value, told := c.Values[name]; told {
				values = append(values, value)
			}
		}
		if len(values) < len(pieces) {
			continue
		}
		if of == nil {
			of = map[string][]int64{}
		}
		of[name] = values
	}
	return of
}
