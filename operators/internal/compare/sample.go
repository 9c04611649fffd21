package compare

import (
	"cmp"
	"fmt"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// Cell is a load under which servers are compared: everything that must be equal for figures to be comparable.
type Cell struct {
	Phase, Operation, Consistency string
	Threads, TargetRate           int
	// Connections is 0 if there is one for each thread.
	Connections int
	LatencyKind v1beta1.LatencyKind
}

// CellOf returns the load of a row.
func CellOf(row *results.Row) Cell {
	return Cell{Phase: row.Phase, Operation: row.Operation, Consistency: row.Consistency, Threads: row.Threads, TargetRate: row.TargetRate,
		Connections: row.Connections.Value, LatencyKind: row.LatencyKind}
}

// Arm is one server of one run.
type Arm struct {
	Run    *archive.Run
	Server string
}

// sample holds one arm's measurements, valid or not, by load and round.
type sample struct {
	arm   Arm
	plan  runPlan
	cells []Cell // in the order of the rows
	rows  map[Cell]map[replicate][]*results.Row
	// duets are the cells in which both servers were under load together.
	duets map[Cell]bool
}

// anyPeer draws the measurements of all duets.
const anyPeer = "*"

// draw collects an arm's measurements.
//
// beside is the server with which the arm is compared. Of a duet, only the rows in which the two were under load together count. kinds are the
// kinds of latency of the loads.
func draw(arm Arm, beside string, kinds map[Cell]v1beta1.LatencyKind) *sample {
	s := &sample{arm: arm, plan: planOf(arm.Run), rows: map[Cell]map[replicate][]*results.Row{}, duets: map[Cell]bool{}}
	for i := range arm.Run.Rows {
		row := &arm.Run.Rows[i]
		if row.Server != arm.Server || row.Warmup || row.Peer != "" && row.Peer != beside && beside != anyPeer {
			continue
		}
		cell := CellOf(row)
		cell.LatencyKind = cmp.Or(cell.LatencyKind, kinds[asked(cell)])
		if s.rows[cell] == nil {
			s.rows[cell] = map[replicate][]*results.Row{}
			s.cells = append(s.cells, cell)
			s.duets[cell] = row.Peer != ""
		}
		s.rows[cell][replicateOf(row)] = append(s.rows[cell][replicateOf(row)], row)
	}
	return s
}

// all returns all measurements under a load.
func (s *sample) all(cell Cell) []results.Row {
	var all []results.Row
	for _, rows := range s.rows[cell] {
		for _, row := range rows {
			all = append(all, *row)
		}
	}
	return all
}

// figures are an arm's figures by one metric under one load: those of rounds that have one, and why the others have none.
type figures struct {
	rounds []replicate
	values map[replicate]float64
	lost   map[replicate]loss
	// few is why a percentile is not compared in any round; empty if it is.
	few string
}

// figures returns the figures of the rounds that the run has under the load. Of several repeats, a rate is that of all operations over all time,
// and a percentile that of the merged histogram. A round that lacks a valid repeat has none: earlier repeats are slower than later ones.
func (s *sample) figures(cell Cell, metric Metric) figures {
	f := figures{rounds: s.plan.rounds(cell), values: map[replicate]float64{}, lost: map[replicate]loss{}, few: s.few(cell, metric)}
	for _, u := range f.rounds {
		rows := s.rows[cell][u]
		if lost, is := s.lost(cell, u); is {
			f.lost[u] = lost
		} else if metric.isOpen(rows) {
			f.lost[u] = loss{why: metric.open, open: true}
		} else if value, err := Figure(s.arm.Run, rows, metric); err != nil {
			f.lost[u] = loss{why: metric.Title + ": " + err.Error()}
		} else {
			f.values[u] = value
		}
	}
	return f
}

// few returns why a percentile rests on too few operations; empty if it does not. All rounds have it, or none: where the operations of a closed
// loop hardly suffice, the rounds with enough of them are the fast ones.
func (s *sample) few(cell Cell, metric Metric) string {
	operations, rounds := int64(0), int64(0)
	for u, rows := range s.rows[cell] {
		if _, lost := s.lost(cell, u); lost {
			continue
		}
		rounds++
		for _, row := range rows {
			operations += row.Ops.Value
		}
	}
	if metric.Percentile == 0 || rounds == 0 || measure.Supported(operations/rounds, metric.Percentile) {
		return ""
	}
	return fmt.Sprintf("a round of %s has %d operations on average, fewer than ten beyond the %s percentile", s.arm.Server, operations/rounds, metric.Title)
}
