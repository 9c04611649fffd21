package covariates

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
)

// moment is one round of a load, or one repeat in it: the two sides, and the rows of all other servers.
type moment struct {
	baseline, server *results.Row
	others           []*results.Row
}

type place struct{ installation, round, repeat int }

// momentsOf returns the moments that have both sides of a comparison, in order.
func momentsOf(run *archive.Run, c *compare.Comparison) []moment {
	found := map[place]*moment{}
	for i := range run.Rows {
		row := &run.Rows[i]
		if !row.Valid || row.Warmup || compare.CellOf(row) != c.Cell {
			continue
		}
		at := place{row.Installation, row.Round, row.Repeat}
		if found[at] == nil {
			found[at] = &moment{}
		}
		switch m := found[at]; {
		case row.Server == c.Server && (row.Peer == "" || row.Peer == c.Baseline):
			m.server = row
		case row.Server == c.Baseline && (row.Peer == "" || row.Peer == c.Server):
			m.baseline = row
		default:
			m.others = append(m.others, row)
		}
	}
	maps.DeleteFunc(found, func(_ place, m *moment) bool { return m.baseline == nil || m.server == nil })
	order := slices.SortedFunc(maps.Keys(found), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.installation, b.installation), cmp.Compare(a.round, b.round), cmp.Compare(a.repeat, b.repeat))
	})
	var moments []moment
	for _, at := range order {
		moments = append(moments, *found[at])
	}
	return moments
}

// othersName is the covariate that shows the machine's speed: the primary metric of all other servers at the same time, as a logarithm.
const othersName = "other servers"

// inRounds returns one pair for each moment whose sides both have a figure.
func inRounds(run *archive.Run, metric compare.Metric, moments []moment) [][]pair {
	var rounds [][]pair
	for _, m := range moments {
		p := pair{whole(run, m.baseline, metric), whole(run, m.server, metric)}
		var others []view
		for _, row := range m.others {
			others = append(others, whole(run, row, metric))
		}
		p.addOthers(others, len(moments[0].others))
		if p.usable() {
			rounds = append(rounds, []pair{p})
		}
	}
	return rounds
}

// inWindows returns the pairs of each moment's windows, except those in which a figure is unknown. Both sides have a window in every block,
// so the windows of a block are as near in time as they can be.
func inWindows(run *archive.Run, metric compare.Metric, moments []moment) [][]pair {
	var rounds [][]pair
	for _, m := range moments {
		base, own := windows(run, m.baseline, metric), windows(run, m.server, metric)
		if len(base) == 0 || len(base) != len(own) {
			continue
		}
		var others [][]view
		for _, row := range m.others {
			if theirs := windows(run, row, metric); len(theirs) == len(own) {
				others = append(others, theirs)
			}
		}
		var pairs []pair
		for i := range own {
			p := pair{base[i], own[i]}
			var now []view
			for _, theirs := range others {
				now = append(now, theirs[i])
			}
			p.addOthers(now, len(moments[0].others))
			if p.usable() {
				pairs = append(pairs, p)
			}
		}
		if len(pairs) > 0 {
			rounds = append(rounds, pairs)
		}
	}
	return rounds
}

// addOthers adds the mean of the other servers to both sides, which share it, if all of them have a figure. With one missing, the mean would
// change by who is missing.
func (p *pair) addOthers(others []view, all int) {
	sum := 0.0
	for _, other := range others {
		sum += math.Log(other.figure)
	}
	if level := sum / float64(all); all > 0 && len(others) == all && !math.IsNaN(level) && !math.IsInf(level, 0) {
		p.baseline.next[othersName], p.server.next[othersName] = level, level
	}
}

// usable reports whether the sides have a log ratio.
func (p pair) usable() bool {
	log := p.log()
	return !math.IsNaN(log) && !math.IsInf(log, 0)
}
