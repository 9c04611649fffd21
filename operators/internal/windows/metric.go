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
		{results.MustColumn(results.CPUPerOperation).Name, func(w Window) (float64, float64, bool) {
			cpu, known := w.Counters[measure.CPUCounter]
			return cpu / 1e3, w.Operations, known && w.Operations > 0
		}},
	}
}
