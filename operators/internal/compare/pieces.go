package compare

import (
	"math"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
)

// windows holds the numerator and the denominator of a metric for each window of a server in one round.
type windows struct{ over, under []float64 }

// windowsOf returns the windows of a round that is one measurement in windows; nil for other rounds, and for metrics that windows do not
// have.
func windowsOf(run *archive.Run, rows []*results.Row, metric Metric) *windows {
	if len(rows) != 1 {
		return nil
	}
	m := run.Measurements[rows[0].Measurement]
	if m == nil || m.Status.Result == nil {
		return nil
	}
	return windowsIn(m.Status.Result.Intervals, metric.Name)
}

func windowsIn(intervals *v1beta1.Intervals, metric string) *windows {
	if intervals == nil || len(intervals.WindowMicros) == 0 || len(intervals.WindowMicros) != len(intervals.Operations) {
		return nil
	}
	operations := floats(intervals.Operations)
	if metric == opRate {
		return &windows{operations, floats(intervals.WindowMicros)}
	}
	counter, cost := results.CounterOf(metric)
	if counted := intervals.StoreCounters[counter]; cost && len(counted) == len(operations) {
		return &windows{floats(counted), operations}
	}
	return nil
}

func floats(values []int64) []float64 {
	out := make([]float64, len(values))
	for i, value := range values {
		out[i] = float64(value)
	}
	return out
}

// figure returns the metric over the windows of a piece. Its unit is arbitrary, because only ratios of two such figures are used.
func (w *windows) figure(piece, pieces int) float64 {
	from, to := ratio.Piece(piece, pieces, len(w.over))
	over, under := 0.0, 0.0
	for i := from; i < to; i++ {
		over += w.over[i]
		under += w.under[i]
	}
	return over / under
}

// piecewise returns the log ratios of a round's pieces; nil if the windows are unknown or not of the same blocks.
func piecewise(base, other *windows) []float64 {
	if base == nil || other == nil || len(base.over) != len(other.over) {
		return nil
	}
	pieces := ratio.Pieces(len(base.over))
	if pieces < 2 {
		return nil
	}
	logs := make([]float64, pieces)
	for i := range logs {
		logs[i] = math.Log(other.figure(i, pieces) / base.figure(i, pieces))
		if math.IsNaN(logs[i]) || math.IsInf(logs[i], 0) {
			return nil // one of the two answered nothing
		}
	}
	return logs
}
