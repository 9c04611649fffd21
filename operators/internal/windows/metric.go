package windows

import (
	"ringside.dev/ringside/operators/internal/measure"
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
		costOf(results.CPUPerOperation, measure.CPUCounter),
		costOf(results.CPUOfServer, measure.CPUServerCounter),
	}
}

// costOf an operation by a counter of nanoseconds, in the column's microseconds.
func costOf(column, counter string) Metric {
	return Metric{results.MustColumn(column).Name, func(w Window) (float64, float64, bool) {
		cpu, known := w.Counters[counter]
		return cpu / 1e3, w.Operations, known && w.Operations > 0
	}}
}
