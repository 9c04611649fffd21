package compare

import (
	"math"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
)

// windows of a server in one round.
type windows struct{ operations, seconds []float64 }

// windowsOf a round that is one measurement in windows; nil of any other, and of metrics that windows do not have.
func windowsOf(run *archive.Run, rows []*results.Row, metric Metric) *windows {
	if len(rows) != 1 || metric.Name != opRate {
		return nil
	}
	m := run.Measurements[rows[0].Measurement]
	if m == nil || m.Status.Result == nil {
		return nil
	}
	return windowsIn(m.Status.Result.Intervals)
}

func windowsIn(intervals *v1alpha1.Intervals) *windows {
	if intervals == nil || len(intervals.WindowMicros) == 0 || len(intervals.WindowMicros) != len(intervals.Operations) {
		return nil
	}
	w := &windows{}
	for i, operations := range intervals.Operations {
		w.operations = append(w.operations, float64(operations))
		w.seconds = append(w.seconds, float64(intervals.WindowMicros[i])/1e6)
	}
	return w
}

// rate of the windows of a piece.
func (w *windows) rate(piece, pieces int) float64 {
	from, to := ratio.Piece(piece, pieces, len(w.operations))
	operations, seconds := 0.0, 0.0
	for i := from; i < to; i++ {
		operations += w.operations[i]
		seconds += w.seconds[i]
	}
	return operations / seconds
}

// piecewise are the log ratios of a round's pieces; nil where they cannot be told: windows that are not known, or not the same blocks.
func piecewise(base, other *windows) []float64 {
	if base == nil || other == nil || len(base.operations) != len(other.operations) {
		return nil
	}
	pieces := ratio.Pieces(len(base.operations))
	if pieces < 2 {
		return nil
	}
	logs := make([]float64, pieces)
	for i := range logs {
		logs[i] = math.Log(other.rate(i, pieces) / base.rate(i, pieces))
		if math.IsNaN(logs[i]) || math.IsInf(logs[i], 0) {
			return nil // nothing was answered in one of them
		}
	}
	return logs
}
