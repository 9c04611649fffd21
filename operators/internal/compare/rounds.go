package compare

import (
	"cmp"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// replicate is the unit of replication: a round of an installation.
type replicate struct{ installation, round int }

func replicateOf(row *results.Row) replicate { return replicate{max(row.Installation, 1), row.Round} }

func byTime(a, b replicate) int {
	return cmp.Or(cmp.Compare(a.installation, b.installation), cmp.Compare(a.round, b.round))
}

// runPlan holds what was measured under each load, valid or not, with any server.
type runPlan struct {
	replicates map[Cell]map[replicate]bool
	most       map[Cell]int
}

// planOf derives the plan of a run from its rows.
func planOf(run *archive.Run) runPlan {
	plan := runPlan{map[Cell]map[replicate]bool{}, map[Cell]int{}}
	type measured struct {
		cell         Cell
		server, peer string
		replicate    replicate
	}
	count := map[measured]int{}
	for i := range run.Rows {
		row := &run.Rows[i]
		if row.Warmup {
			continue
		}
		cell := asked(CellOf(row))
		if plan.replicates[cell] == nil {
			plan.replicates[cell] = map[replicate]bool{}
		}
		plan.replicates[cell][replicateOf(row)] = true
		key := measured{cell, row.Server, row.Peer, replicateOf(row)}
		count[key]++
		plan.most[cell] = max(plan.most[cell], count[key])
	}
	return plan
}

// asked returns the load without the properties that only a result has: a measurement without answers has no kind of latency.
func asked(cell Cell) Cell {
	cell.LatencyKind = ""
	return cell
}

func (p runPlan) rounds(cell Cell) int { return len(p.replicates[asked(cell)]) }

// repeats returns the number of repeats of the load in a round.
func (p runPlan) repeats(cell Cell) int { return p.most[asked(cell)] }
