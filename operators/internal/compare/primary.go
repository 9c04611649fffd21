package compare

import (
	"fmt"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// One primary metric of each phase carries the verdicts. Of five metrics with one each, under equal servers and with two loads, one
// verdict in two runs would be chance.

const (
	opRate = "op_rate"
	// cpuPerOperation is primary at a constant rate wherever measurements have it.
	cpuPerOperation = results.CPUPerOperation
	// cpuAtRest is primary where nothing was asked of the store.
	cpuAtRest = results.CPUAtRest
	p99       = "latency_p99_ms"
	// Capacity is primary in a search for one: the other figures are of the rates that the search chose.
	Capacity = "capacity"
)

// MetricNames that a phase may declare primary.
func MetricNames() []string {
	var names []string
	for _, metric := range Metrics() {
		names = append(names, metric.Name)
	}
	return names
}

// Metrics that anything was compared by; those that carry verdicts come first, for a table may be wider than what it is read on.
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

// CheckPrimary says what is wrong with a phase's primary metric; nil for none that is declared.
func CheckPrimary(metric string, targetRate int64) error {
	switch {
	case metric == "":
		return nil
	case !slices.Contains(MetricNames(), metric):
		return fmt.Errorf("primary metric %q is none: choose from %s", metric, strings.Join(MetricNames(), ", "))
	case isInput(metric, targetRate):
		return fmt.Errorf("primary metric %s is the input at a constant rate: choose another, as %s", metric, p99)
	}
	return nil
}

// NeedsWindows says that a metric is of one server alone only where the load goes round among them, one at a time.
func NeedsWindows(metric string) bool { return isCost(metric) }

// isCost of an operation to the store, in CPU time or in switches of context. The server's own threads do what was swapped and little else:
// what the rest of the store takes for an operation is much the same behind every server.
func isCost(metric string) bool {
	_, is := results.CounterOf(metric)
	return is
}

// isInput says that the metric is what the load was told, and says nothing of the server.
func isInput(metric string, targetRate int64) bool { return metric == opRate && targetRate > 0 }

// primaryMetric of a load: of none, what the store uses at rest; of one in which it was killed, the time until it is back; else the one that is
// asked for; of one in which nodes were lost, what that cost; else in a search, the capacity;
// closed-loop, the op rate; at a constant rate, which is the input there, the store's CPU time per operation where it was measured, else
// the 99th percentile.
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

// declared primary metric of a run's phase; empty where none is.
func declared(run *archive.Run, phase string) string {
	if run.Experiment == nil {
		return ""
	}
	phases := run.Experiment.Spec.Phases
	at := slices.IndexFunc(phases, func(p v1alpha1.PhaseSpec) bool { return p.Name == phase })
	if at < 0 {
		return ""
	}
	return phases[at].PrimaryMetric
}
