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
	// Offered says that it is not of every load or store: where there is none, nothing is said of it.
	Offered bool
	// Better and Worse are the verdicts in words, where faster and slower would be of something else.
	Better, Worse string
	// AtRest says that it is of phases in which nothing was asked of the store: of those it is the only one.
	AtRest bool
	column results.Column
	in     units.Units
}

// missing says that it is one that not all have, and none of the rows does.
func (m Metric) missing(rows []results.Row) bool {
	return m.Offered && !slices.ContainsFunc(rows, func(row results.Row) bool { return !math.IsNaN(m.value(&row)) })
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
	}
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
