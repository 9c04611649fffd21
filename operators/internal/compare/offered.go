package compare

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// MissedText replaces a figure at a rate that a server did not reach.
const MissedText = "missed"

// OfferedRate holds a server's measurements at one offered rate.
type OfferedRate struct {
	// Kept are the valid measurements that reached the rate, Missed those that did not. The latencies of the latter come from a backlog
	// that grows with the duration of the measurement, so they do not describe the server.
	Kept, Missed []*results.Row
}

// Offer returns the measurements of a server at a rate, without warm-ups and without those that are invalid for another reason.
func Offer(run *archive.Run, server string, cell Cell) OfferedRate {
	var out OfferedRate
	for i := range run.Rows {
		row := &run.Rows[i]
		switch {
		case row.Server != server || row.Warmup || CellOf(row) != cell:
		case missed(run, row):
			out.Missed = append(out.Missed, row)
		case row.Valid:
			out.Kept = append(out.Kept, row)
		}
	}
	return out
}

// Of returns the number of measurements.
func (o OfferedRate) Of() int { return len(o.Kept) + len(o.Missed) }

// Reached reports whether the server reached the rate in most of its measurements. Fewer may be chance.
func (o OfferedRate) Reached() bool { return len(o.Kept) > len(o.Missed) }

func (o OfferedRate) text(run *archive.Run, metric Metric) string {
	switch {
	case o.Of() == 0:
		return ""
	case !o.Reached():
		return MissedText
	}
	return metric.Text(run, o.Kept)
}

// missed reports whether the row reached less of its rate than the run's gate requires, independent of the gate's result.
func missed(run *archive.Run, row *results.Row) bool {
	asked := float64(row.TargetRate)
	if row.Peer != "" {
		asked /= v1beta1.DuetSides
	}
	return row.OpRate.Known && !gatesOf(run).RateReached(row.OpRate.Value, asked)
}

// LeastShare returns the share of a rate that the run's gate requires, as text.
func LeastShare(run *archive.Run) string {
	return fmt.Sprintf("%g%%", float64(gatesOf(run).TargetRateLimit())/10)
}

func gatesOf(run *archive.Run) v1beta1.Gates {
	if run.Experiment == nil {
		return v1beta1.Gates{}
	}
	return run.Experiment.Spec.Gates
}

// Cells returns the loads of a run's measurements with figures, valid or not, in the order of their first rows.
func Cells(run *archive.Run) []Cell {
	var cells []Cell
	for i := range run.Rows {
		row := &run.Rows[i]
		if cell := CellOf(row); !row.Warmup && row.OpRate.Known && !slices.Contains(cells, cell) {
			cells = append(cells, cell)
		}
	}
	return cells
}
