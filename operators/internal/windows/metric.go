package windows

import (
	"ringside.dev/ringside/operators/internal/results"
)

// Metric of windows: a sum over a sum, so that a window counts by what it has of the latter.
type Metric struct {
	// Name is that of the column.
	Name string
	of   func(Window) (over, under float64, ok bool)
}

// Metrics that windows have.
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

// costOf an operation, in units of the counter that the column is made of: only ratios and shares are told of it.
func costOf(column string) Metric {
	counter, _ := results.CounterOf(column)
	return Metric{results.MustColumn(column).Name, func(w Window) (float64, float64, bool) {
		cost, known := w.Counters[counter]
		return cost, w.Operations, known && w.Operations > 0
	}}
}
