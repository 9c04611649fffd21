package compare

import (
	"cmp"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// unit is the unit of replication: a round of an installation.
type unit struct{ installation, round int }

func unitOf(row *results.Row) unit { return unit{max(row.Installation, 1), row.Round} }

func byTime(a, b unit) int {
	return cmp.Or(cmp.Compare(a.installation, b.installation), cmp.Compare(a.round, b.round))
}

// runPlan holds what was measured under each load, valid or not, with any server.
type runPlan struct {
	units map[Cell]map[unit]bool
	most  map[Cell]int
}

// planOf derives the plan of a run from its rows.
func planOf(run *archive.Run) runPlan {
	plan := runPlan{map[Cell]map[unit]bool{}, map[Cell]int{}}
	type measured struct {
		cell         Cell
		server, peer string
		unit         unit
	}
	count := map[measured]int{}
	for i := range run.Rows {
		row := &run.Rows[i]
		if row.Warmup {
			continue
		}
		cell := asked(CellOf(row))
		if plan.units[cell] == nil {
			plan.units[cell] = map[unit]bool{}
		}
		plan.units[cell][unitOf(row)] = true
		key := measured{cell, row.Server, row.Peer, unitOf(row)}
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

func (p runPlan) rounds(cell Cell) int { return len(p.units[asked(cell)]) }

// repeats returns the number of repeats of the load in a round.
func (p runPlan) repeats(cell Cell) int { return p.most[asked(cell)] }
