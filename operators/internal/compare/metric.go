package compare

import (
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Metric is a figure by which servers are compared.
type Metric struct {
	// Name is the column of measurements.csv.
	Name string
	// Title is the name for people.
	Title string
	// HigherIsBetter is true for rates, false for latencies and costs.
	HigherIsBetter bool
	// Percentile is that of the latency; 0 for rates and costs.
	Percentile float64
	// Offered marks a metric that not every load or store has. Where it is missing, it is omitted without a note.
	Offered bool
	// Better and Worse are the words for a verdict of a metric that is not about speed; empty means faster and slower.
	Better, Worse string
	// AtRest marks a metric of idle phases, which have no other.
	AtRest bool
	// PrimaryOnly marks a metric that is compared only where it is primary, because elsewhere it is mostly the store's background.
	PrimaryOnly bool
	// Difference marks a metric that is compared by differences in its own unit instead of ratios, because it can be 0.
	Difference bool
	// open describes the case that a measurement reached no figure, such as a store that did not recover in time; empty for metrics without
	// this case. late is true if such a measurement ranks after all that have a figure.
	open   string
	late   bool
	column results.Column
	in     textfmt.Units
}

// has reports whether a row has a figure, or one that it did not reach.
func (m Metric) has(row results.Row) bool {
	return !math.IsNaN(m.value(&row)) || m.isOpen([]*results.Row{&row})
}

// missing reports whether the metric is optional and none of the rows has it.
func (m Metric) missing(rows []results.Row) bool {
	return m.Offered && !slices.ContainsFunc(rows, m.has)
}

// MetricsOf returns the compared metrics, without those that the rows do not have.
func MetricsOf(rows []results.Row) []Metric {
	return slices.DeleteFunc(Metrics(), func(m Metric) bool { return m.missing(rows) })
}

// TableMetrics returns the metrics of tables with little space: those of the published table, and the store's CPU time if the rows have it.
func TableMetrics(rows []results.Row) []Metric {
	return slices.DeleteFunc(MetricsOf(rows), func(m Metric) bool { return m.Percentile == 99 || m.Name == results.Switches || m.PrimaryOnly })
}

// In returns the metric in a store's own units, for people.
func (m Metric) In(in textfmt.Units) Metric {
	if m.in = in; m.Name == opRate && in.Named() {
		m.Title = in.Operations()
	}
	return m
}

// Unit returns the unit of the figures.
func (m Metric) Unit() string { return m.in.Sign(m.column.Unit) }

// Shown converts a figure of measurements.csv to the metric's own unit.
func (m Metric) Shown(value float64) float64 { return m.in.FromMillis(value, m.column.Unit) }

// value returns the row's figure; NaN if there is none.
func (m Metric) value(row *results.Row) float64 { return m.column.Value(row) }

// format writes a value in the format of measurements.csv, in the metric's own unit.
func (m Metric) format(value float64) string {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return ""
	}
	if m.Unit() != m.column.Unit {
		return m.in.Format(value)
	}
	return m.column.Format(value)
}

// Metrics returns all compared metrics.
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
		writtenOf(results.WrittenPerOperation),
		atRestOf(costOf(cpuAtRest, "CPU at rest")),
		{Name: results.RecoveryTime, Title: "recovery", Offered: true, column: results.MustColumn(results.RecoveryTime)},
		lostToFaults(),
		toRecover(),
		toDetect(),
	}
}

// Effects of faults are compared by differences in seconds, between servers in the same round. Shares of answered operations are near 1 for
// every server: 0.99 and 0.98 differ by 1%, but one server lost twice as much as the other. A ratio of the losses would show that. It does
// not exist, however, for a server that lost nothing, and those rounds would not be missing at random. Seconds can be added, can be 0, and
// are what a client waits. A phase without a fault has some loss too, because half of all seconds lie below the median. It is the same for
// equally steady servers, and then the difference does not contain it.

// lostToFaults is the time without service: a second without answers counts 1 s, and so do two seconds with half of the answers.
func lostToFaults() Metric {
	return Metric{Name: results.FaultLost, Title: "lost to a fault", Offered: true, Difference: true, Better: "lost less", Worse: "lost more", column: results.MustColumn(results.FaultLost)}
}

// toRecover is unknown for a measurement that ended first, but then it is longer than all known ones.
func toRecover() Metric {
	return Metric{Name: results.FaultMeanRecover, Title: "time to recover", Offered: true, Difference: true, Better: "recovered sooner", Worse: "recovered later",
		open: "not recovered by the phase's end", late: true, column: results.MustColumn(results.FaultMeanRecover)}
}

// toDetect is unknown if there was nothing to detect, which is neither early nor late.
func toDetect() Metric {
	return Metric{Name: results.FaultMeanDetect, Title: "time to detect", Offered: true, Difference: true, Better: "noticed sooner", Worse: "noticed later",
		open: "less than 95% of the rate in no second", column: results.MustColumn(results.FaultMeanDetect)}
}

// isOpen reports whether a row has no figure although its input is known.
func (m Metric) isOpen(rows []*results.Row) bool {
	return m.open != "" && slices.ContainsFunc(rows, func(row *results.Row) bool { return row.Faults.Lost.Known && math.IsNaN(m.value(row)) })
}

// costOf returns the metric of a CPU time column, which not every store fills.
func costOf(name, title string) Metric {
	return Metric{Name: name, Title: title, Offered: true, Better: "less CPU time", Worse: "more CPU time", column: results.MustColumn(name)}
}

// switchesOf returns the metric of a column of context switches, which not every store fills.
func switchesOf(name string) Metric {
	return Metric{Name: name, Title: "context switches per operation", Offered: true, Better: "fewer switches", Worse: "more switches", column: results.MustColumn(name)}
}

// writtenOf returns the metric of a column of bytes written to disks, which not every store fills.
func writtenOf(name string) Metric {
	return Metric{Name: name, Title: "bytes written per operation", Offered: true, PrimaryOnly: true, Better: "wrote less", Worse: "wrote more", column: results.MustColumn(name)}
}

func atRestOf(m Metric) Metric {
	m.AtRest = true
	return m
}

func metricOf(name, title string, higherIsBetter bool, percentile float64) Metric {
	return Metric{Name: name, Title: title, HigherIsBetter: higherIsBetter, Percentile: percentile, column: results.MustColumn(name)}
}
