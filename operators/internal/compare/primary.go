package compare

import (
	"fmt"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// Verdicts are given for one primary metric per phase. With verdicts for five metrics, equal servers and two loads, one in two runs would have a
// false verdict.

const (
	opRate = "op_rate"
	// cpuPerOperation is primary at a constant rate if measurements have it.
	cpuPerOperation = results.CPUPerOperation
	// cpuAtRest is primary in idle phases.
	cpuAtRest = results.CPUAtRest
	p99       = "latency_p99_ms"
	// Capacity is primary in a capacity search: the other figures are those of the rates that the search chose.
	Capacity = "capacity"
)

// MetricNames returns the metrics that a phase may declare primary.
func MetricNames() []string {
	var names []string
	for _, metric := range Metrics() {
		names = append(names, metric.Name)
	}
	return names
}

// Metrics returns the compared metrics; those with verdicts come first, because a table may be wider than the screen.
func (r *Result) Metrics() []Metric {
	compared, primary := map[string]bool{}, map[string]bool{}
	for _, c := range r.Comparisons {
		compared[c.Metric.Name] = true
		primary[c.Metric.Name] = primary[c.Metric.Name] || c.Primary
	}
	metrics := slices.DeleteFunc(Metrics(), func(m Metric) bool { return !compared[m.Name] })
	slices.SortStableFunc(metrics, func(a, b Metric) int {
		switch {
		case primary[a.Name] == primary[b.Name]:
			return 0
		case primary[a.Name]:
			return -1
		}
		return 1
	})
	return metrics
}

// CheckPrimary checks a phase's primary metric; an empty one is valid.
func CheckPrimary(metric string, targetRate int64) error {
	switch {
	case metric == "":
		return nil
	case !slices.Contains(MetricNames(), metric):
		return fmt.Errorf("unknown primary metric %q: choose from %s", metric, strings.Join(MetricNames(), ", "))
	case isInput(metric, targetRate):
		return fmt.Errorf("primary metric %s is the input at a constant rate: choose another, as in %s", metric, p99)
	}
	return nil
}

// NeedsWindows reports whether a metric can be attributed to one server only in interleaved windows of one server at a time.
func NeedsWindows(metric string) bool { return isCost(metric) }

// NeedsPhaseOfItsOwn reports whether a metric is measured only in phases of one server, without idle time, faults, recovery or
// profiles.
func NeedsPhaseOfItsOwn(metric string) bool { return metric == results.WrittenPerOperation }

// isCost reports whether a metric is a cost per operation: CPU time or context switches. The cost of a server's own threads differs between
// servers; that of the rest of the store is nearly the same for all.
func isCost(metric string) bool {
	_, is := results.CounterOf(metric)
	return is
}

// isInput reports whether the metric is set by the load, not by the server.
func isInput(metric string, targetRate int64) bool { return metric == opRate && targetRate > 0 }

// primaryMetric returns the primary metric of a load: in an idle phase, the CPU time at rest; with recovery, the recovery time; else the
// requested one; with faults, their cost; in a capacity search, the capacity; closed-loop, the op rate; at a constant rate, the store's CPU time
// per operation if it was measured, else the 99th percentile.
func primaryMetric(asked string, targetRate int64, measured []string) string {
	switch {
	case slices.Contains(measured, cpuAtRest):
		return cpuAtRest
	case slices.Contains(measured, results.RecoveryTime):
		return results.RecoveryTime
	case asked != "" && !isInput(asked, targetRate):
		return asked
	case slices.Contains(measured, results.FaultLost):
		return results.FaultLost
	case slices.Contains(measured, Capacity):
		return Capacity
	case targetRate == 0:
		return opRate
	case slices.Contains(measured, cpuPerOperation):
		return cpuPerOperation
	}
	return p99
}

// declared returns the declared primary metric of a run's phase; empty if there is none.
func declared(run *archive.Run, phase string) string {
	if run.Experiment == nil {
		return ""
	}
	phases := run.Experiment.Spec.Phases
	at := slices.IndexFunc(phases, func(p v1beta1.PhaseSpec) bool { return p.Name == phase })
	if at < 0 {
		return ""
	}
	return phases[at].PrimaryMetric
}

// PrimaryOf returns the primary metric of a load of a run, given the names of the metrics that were measured.
func PrimaryOf(run *archive.Run, cell Cell, measured []string) string {
	return primaryMetric(declared(run, cell.Phase), int64(cell.TargetRate), measured)
}
