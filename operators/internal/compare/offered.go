package compare

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// MissedText stands for a figure at a rate that a server did not keep up with.
const MissedText = "missed"

// OfferedRate is what a server's measurements at one offered rate gave.
type OfferedRate struct {
	// Kept are the valid measurements that reached the rate, Missed those that did not: their latencies are those of a backlog that
	// grows for as long as one measures, and say nothing of the server but that.
	Kept, Missed []*results.Row
}

// Offer gathers the measurements of a server at a rate, without those to warm up and those that are invalid for another reason.
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

// Of so many measurements.
func (o OfferedRate) Of() int { return len(o.Kept) + len(o.Missed) }

// Reached reports whether the server kept up with the rate in most of its measurements. One that did in few was lucky.
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

// missed reports whether less than the share that the run's gate asks for was reached, whatever the gate made of it.
func missed(run *archive.Run, row *results.Row) bool {
	asked := float64(row.TargetRate)
	if row.Peer != "" {
		asked /= v1alpha1.DuetSides
	}
	return row.OpRate.Known && !gatesOf(run).RateReached(row.OpRate.Value, asked)
}

// LeastShare of a rate that must be reached in the run, in words.
func LeastShare(run *archive.Run) string {
	return fmt.Sprintf("%g%%", float64(gatesOf(run).TargetRateLimit())/10)
}

func gatesOf(run *archive.Run) v1alpha1.Gates {
	if run.Experiment == nil {
		return v1alpha1.Gates{}
	}
	return run.Experiment.Spec.Gates
}

// Cells of a run's measurements that gave something, valid or not, in the order of their first rows.
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
