package windows

import "ringside.dev/ringside/operators/internal/measure"

// countersOf returns the counters of a log's windows, by start in milliseconds. Windows with a lost answer, or joined with one, are left
// out.
func countersOf(log *measure.Log) map[int64]map[string]float64 {
	out := map[int64]map[string]float64{}
	for _, c := range log.Counters {
		if c.Unknown > 0 {
			continue
		}
		values := map[string]float64{}
		for name, value := range c.Values {
			values[name] = float64(value)
		}
		out[c.Start.UnixMilli()] = values
	}
	return out
}
