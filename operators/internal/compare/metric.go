package compare

import (
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/results"
)

// Metric is a figure that servers are compared by.
type Metric struct {
	// Name as the column of measurements.csv has it.
	Name string
	// Title for people.
	Title string
	// HigherIsBetter holds for rates, not for latencies.
	HigherIsBetter bool
	// Percentile of the latency; 0 for rates.
	Percentile float64
	column     results.Column
}

// TableMetrics are those of the published table, for where there is no room for all.
func TableMetrics() []Metric {
	return slices.DeleteFunc(Metrics(), func(m Metric) bool { return m.Percentile == 99 })
}

// Unit of its figures.
func (m Metric) Unit() string { return m.column.Unit }

// value of a row; NaN where there is none.
func (m Metric) value(row *results.Row) float64 { return m.column.Value(row) }

// format writes a value as measurements.csv has it.
func (m Metric) format(value float64) string {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return ""
	}
	return m.column.Format(value)
}

// Metrics that are compared.
func Metrics() []Metric {
	return []Metric{
		metricOf("op_rate", "op rate", true, 0),
		metricOf("latency_median_ms", "median", false, 50),
		metricOf("latency_p95_ms", "95th", false, 95),
		metricOf("latency_p99_ms", "99th", false, 99),
		metricOf("latency_p999_ms", "99.9th", false, 99.9),
	}
}

func metricOf(name, title string, higherIsBetter bool, percentile float64) Metric {
	return Metric{name, title, higherIsBetter, percentile, results.MustColumn(name)}
}
