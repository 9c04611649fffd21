package measure

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// The store's counters (docs/reference/store-contract.md): CPU time of the process and of the server's threads, pauses of the garbage
// collector, and context switches.
const (
	CPUCounter       = "cpu_ns"
	CPUServerCounter = cpuGroupPrefix + "server" + cpuGroupSuffix
	PauseCounter     = "gc_pause_ms"
	SwitchCounter    = "context_switches"
)

// CostCounters returns the counters that are kept for each window: those by which servers are compared. The log has the others.
func CostCounters() []string { return []string{CPUCounter, CPUServerCounter, SwitchCounter} }

// CPUOther is the group of all threads in no other group. No counter has it.
const CPUOther = "other"

const (
	cpuGroupPrefix  = "cpu_"
	cpuGroupSuffix  = "_ns"
	nanosecondsInUs = 1000
)

// CPUGroupCounter returns the name of the counter of a thread group's CPU time.
func CPUGroupCounter(group string) string { return cpuGroupPrefix + group + cpuGroupSuffix }

// mostUnknown is the largest share of windows that may be unknown. Those that are lost are the busiest, so that what is left is no sample of all.
const mostUnknown = 0.1

// TooManyUnknown reports whether the CPU time of so many windows is unknown that no figure is reported.
func TooManyUnknown(cpu *v1beta1.StoreCPU) bool {
	return float64(cpu.UnknownWindows) > mostUnknown*float64(cpu.Windows+cpu.UnknownWindows)
}

// storeCPU returns what the store's processes used in the log's windows; nil if the store does not report it.
func storeCPU(l *Log) *v1beta1.StoreCPU {
	sum, there := total(l.Counters)
	if !there {
		return nil
	}
	out := &v1beta1.StoreCPU{Windows: int64(sum.Windows - sum.Unknown), UnknownWindows: int64(sum.Unknown), Operations: sum.Operations, Counters: sum.Values}
	if TooManyUnknown(out) {
		out.Counters = nil
		return out
	}
	if _, told := sum.Values[CPUCounter]; !told || sum.Operations == 0 {
		return out
	}
	out.PerOpMicros = Micros(CPUPerOperation(out, ""))
	for _, group := range CPUGroups(sum.Values) {
		out.Groups = append(out.Groups, v1beta1.CPUGroup{Name: group, PerOpMicros: Micros(CPUPerOperation(out, group))})
	}
	return out
}

// CPUPerOperation returns the CPU time per operation in nanoseconds, of a group of threads, or of all for the empty name. Valid only if
// PerOpMicros is set.
func CPUPerOperation(cpu *v1beta1.StoreCPU, group string) float64 {
	return float64(CPUNanos(cpu.Counters, group)) / float64(cpu.Operations)
}

// CPUNanos returns the CPU time in nanoseconds of a group of threads, or of all for the empty name.
func CPUNanos(counters map[string]int64, group string) int64 {
	switch group {
	case "":
		return counters[CPUCounter]
	case CPUOther:
		nanos := counters[CPUCounter]
		for _, known := range CPUGroups(counters) {
			if known != CPUOther {
				nanos -= counters[CPUGroupCounter(known)]
			}
		}
		return nanos
	}
	return counters[CPUGroupCounter(group)]
}

// CPUGroups returns the thread groups of the counters, sorted, the rest last; none if the counters distinguish no groups.
func CPUGroups(counters map[string]int64) []string {
	var groups []string
	for _, name := range slices.Sorted(maps.Keys(counters)) {
		if group, ok := strings.CutPrefix(name, cpuGroupPrefix); ok && name != CPUCounter {
			if group, ok = strings.CutSuffix(group, cpuGroupSuffix); ok && group != "" && group != CPUOther {
				groups = append(groups, group)
			}
		}
	}
	if len(groups) > 0 {
		groups = append(groups, CPUOther)
	}
	return groups
}

// Micros formats nanoseconds as microseconds with one decimal.
func Micros(ns float64) v1beta1.Decimal {
	return v1beta1.Decimal(strconv.FormatFloat(ns/nanosecondsInUs, 'f', 1, 64))
}

// countersOf returns the counters of the pieces, in order. A counter that is unknown in any window is left out.
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
