package windows

import (
	"ringside.dev/ringside/operators/internal/results"
)

// Metric is a metric of windows: a sum divided by a sum, so that each window is weighted by its denominator.
type Metric struct {
	// Name is the column of measurements.csv.
	Name string
	of   func(Window) (over, under float64, ok bool)
}

// Metrics returns the metrics that windows have.
func Metrics() []Metric {
	return []Metric{
		{results.MustColumn("op_rate").Name, func(w Window) (float64, float64, bool) {
			return w.Operations, w.Seconds, w.Seconds > 0
		}},
		costOf(results.CPUPerOperation),
		costOf(results.CPUOfServer),
		costOf(results.Switches),
	}
}

// costOf returns the metric of a cost per operation. It is in units of the counter, because only ratios and shares of it are reported.
func costOf(column string) Metric {
	counter, _ := results.CounterOf(column)
	return Metric{results.MustColumn(column).Name, func(w Window) (float64, float64, bool) {
		cost, known := w.Counters[counter]
		return cost, w.Operations, known && w.Operations > 0
	}}
}
