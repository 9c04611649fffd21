package compare

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1beta1"
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
	// unfinished is the round in which a run ended that did not fail: its user stopped it. Else it is the zero value.
	unfinished replicate
}

// planOf derives the plan of a run from its rows.
func planOf(run *archive.Run) runPlan {
	plan := runPlan{replicates: map[Cell]map[replicate]bool{}, most: map[Cell]int{}}
	type measured struct {
		cell         Cell
		server, peer string
		replicate    replicate
	}
	count := map[measured]int{}
	last := replicate{}
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
		if byTime(last, replicateOf(row)) < 0 {
			last = replicateOf(row)
		}
	}
	if run.Experiment != nil && !meta.IsStatusConditionTrue(run.Experiment.Status.Conditions, v1beta1.ConditionFailed) {
		plan.unfinished = last
	}
	return plan
}

// asked returns the load without the properties that only a result has: a measurement without answers has no kind of latency.
func asked(cell Cell) Cell {
	cell.LatencyKind = ""
	return cell
}

// rounds returns the rounds of a load in order.
func (p runPlan) rounds(cell Cell) []replicate {
	return slices.SortedFunc(maps.Keys(p.replicates[asked(cell)]), byTime)
}

// repeats returns the number of repeats of the load in a round.
func (p runPlan) repeats(cell Cell) int { return p.most[asked(cell)] }

// kindsOf returns the kind of latency of each load of runs, which measurements without answers do not have.
func kindsOf(runs ...*archive.Run) map[Cell]v1beta1.LatencyKind {
	kinds := map[Cell]v1beta1.LatencyKind{}
	for _, run := range runs {
		for i := range run.Rows {
			if cell := CellOf(&run.Rows[i]); cell.LatencyKind != "" && kinds[asked(cell)] == "" {
				kinds[asked(cell)] = cell.LatencyKind
			}
		}
	}
	return kinds
}
