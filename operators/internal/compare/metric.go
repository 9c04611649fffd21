package compare

import (
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
	cell       func(*results.Row) string
}

// TableMetrics are those of the published table, for where there is no room for all.
func TableMetrics() []Metric {
	return slices.DeleteFunc(Metrics(), func(m Metric) bool { return m.Percentile == 99 })
}

// Unit of its figures.
func (m Metric) Unit() string {
	if m.Percentile == 0 {
		return "1/s"
	}
	return "ms"
}

// Metrics that are compared.
func Metrics() []Metric {
	return []Metric{
		{"op_rate", "op rate", true, 0, func(r *results.Row) string { return r.OpRate }},
		{"latency_median_ms", "median", false, 50, func(r *results.Row) string { return r.MedianMillis }},
		{"latency_p95_ms", "95th", false, 95, func(r *results.Row) string { return r.P95Millis }},
		{"latency_p99_ms", "99th", false, 99, func(r *results.Row) string { return r.P99Millis }},
		{"latency_p999_ms", "99.9th", false, 99.9, func(r *results.Row) string { return r.P999Millis }},
	}
}
