package compare

import (
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/units"
)

// Metric is a figure that servers are compared by.
type Metric struct {
	// Name as the column of measurements.csv has it.
	Name string
	// Title for people.
	Title string
	// HigherIsBetter holds for rates, not for latencies and costs.
	HigherIsBetter bool
	// Percentile of the latency; 0 for rates and costs.
	Percentile float64
	// Offered reports that it is not of every load or store: where there is none, nothing is said of it.
	Offered bool
	// Better and Worse are the verdicts in words, where faster and slower would be of something else.
	Better, Worse string
	// AtRest reports that it is of phases in which nothing was asked of the store: of those it is the only one.
	AtRest bool
	// Difference reports that it is compared by differences in its own unit, not by ratios: it may be 0.
	Difference bool
	// open says in words that a measurement has come to no figure, such as one under which a store did not recover in time; empty for metrics
	// whose figures are there, or are not known. late says that such a measurement is beyond those that have one.
	open   string
	late   bool
	column results.Column
	in     units.Units
}

// missing reports that it is one that not all have, and none of the rows does.
func (m Metric) missing(rows []results.Row) bool {
	return m.Offered && !slices.ContainsFunc(rows, func(row results.Row) bool { return !math.IsNaN(m.value(&row)) || m.isOpen([]*results.Row{&row}) })
}

// MetricsOf rows are those that are compared, but for what the rows' store does not offer.
func MetricsOf(rows []results.Row) []Metric {
	return slices.DeleteFunc(Metrics(), func(m Metric) bool { return m.missing(rows) })
}

// TableMetrics are those of the published table, for where there is no room for all, and the store's cost in CPU time where the rows have it.
func TableMetrics(rows []results.Row) []Metric {
	return slices.DeleteFunc(MetricsOf(rows), func(m Metric) bool { return m.Percentile == 99 || m.Name == results.Switches })
}

// In tells the metric in a store's own units, for people.
func (m Metric) In(in units.Units) Metric {
	if m.in = in; m.Name == opRate && in.Named() {
		m.Title = in.Operations()
	}
	return m
}

// Unit of its figures.
func (m Metric) Unit() string { return m.in.Sign(m.column.Unit) }

// Shown is a figure as measurements.csv counts it in the metric's own unit.
func (m Metric) Shown(value float64) float64 { return m.in.FromMillis(value, m.column.Unit) }

// value of a row; NaN where there is none.
func (m Metric) value(row *results.Row) float64 { return m.column.Value(row) }

// format writes a value as measurements.csv has it, in the metric's own unit.
func (m Metric) format(value float64) string {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return ""
	}
	if m.Unit() != m.column.Unit {
		return m.in.Format(value)
	}
	return m.column.Format(value)
}

// Metrics that are compared.
func Metrics() []Metric {
	return []Metric{
		metricOf(opRate, "op rate", true, 0),
		metricOf("latency_median_ms", "median", false, 50),
		metricOf("latency_p95_ms", "95th", false, 95),
		metricOf("latency_p99_ms", "99th", false, 99),
		metricOf("latency_p999_ms", "99.9th", false, 99.9),
		{Name: Capacity, Title: "capacity", HigherIsBetter: true, Offered: true, column: results.MustColumn(Capacity)},
		costOf(cpuPerOperation, "CPU per operation"),
		costOf(results.CPUOfServer, "server's CPU per operation"),
		switchesOf(results.Switches),
		atRestOf(costOf(cpuAtRest, "CPU at rest")),
		{Name: results.RecoveryTime, Title: "recovery", Offered: true, column: results.MustColumn(results.RecoveryTime)},
		lostToFaults(),
		toRecover(),
		toDetect(),
	}
}

// What a fault cost is compared by differences in seconds, between servers in the same round. Shares of what was answered are near 1, whatever
// the servers: a ratio of 0.99 to 0.98 is 1%, and one of them lost twice as much as the other. The ratio of what was lost would tell that, but of
// a server that lost nothing, which is the best that can be, there is none, and those rounds would be missing by no chance. Seconds add up, have a 0,
// and are what a client waits. Half of all seconds lie below the median, so that a phase without a fault has lost something as well: as much
// behind each server that is as steady as the others, and then it is not in the difference.

// lostToFaults is the time without service: 1 s for a second in which nothing was answered, as well as for two in which half was.
func lostToFaults() Metric {
	return Metric{Name: results.FaultLost, Title: "lost to a fault", Offered: true, Difference: true, Better: "lost less", Worse: "lost more", column: results.MustColumn(results.FaultLost)}
}

// toRecover is not known of a measurement that ended first, but it is more than of any that came to it.
func toRecover() Metric {
	return Metric{Name: results.FaultMeanRecover, Title: "time to recover", Offered: true, Difference: true, Better: "recovered sooner", Worse: "recovered later",
		open: "not recovered by the phase's end", late: true, column: results.MustColumn(results.FaultMeanRecover)}
}

// toDetect is not known where there was nothing to detect, and that is neither soon nor late.
func toDetect() Metric {
	return Metric{Name: results.FaultMeanDetect, Title: "time to detect", Offered: true, Difference: true, Better: "noticed sooner", Worse: "noticed later",
		open: "less than 95% of the rate in no second", column: results.MustColumn(results.FaultMeanDetect)}
}

// isOpen reports that rows have come to no figure, though what it is read from is known.
func (m Metric) isOpen(rows []*results.Row) bool {
	return m.open != "" && slices.ContainsFunc(rows, func(row *results.Row) bool { return row.Faults.Lost.Known && math.IsNaN(m.value(row)) })
}

// costOf a column in CPU time, which not every store tells.
func costOf(name, title string) Metric {
	return Metric{Name: name, Title: title, Offered: true, Better: "less CPU time", Worse: "more CPU time", column: results.MustColumn(name)}
}

// switchesOf a column, which not every store tells.
func switchesOf(name string) Metric {
	return Metric{Name: name, Title: "context switches per operation", Offered: true, Better: "fewer switches", Worse: "more switches", column: results.MustColumn(name)}
}

func atRestOf(m Metric) Metric {
	m.AtRest = true
	return m
}

func metricOf(name, title string, higherIsBetter bool, percentile float64) Metric {
	return Metric{Name: name, Title: title, HigherIsBetter: higherIsBetter, Percentile: percentile, column: results.MustColumn(name)}
}
