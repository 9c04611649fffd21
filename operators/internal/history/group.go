package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
)

// grouping sorts runs into groups of which all measured the same.
type grouping struct {
	// of is the group of each run, from 1 on; 0 for a run without the servers.
	of []int
	// last is the index of the latest run of each group.
	last   []int
	breaks []Break
	// unknown names what is not known of all runs of a group.
	unknown []string
}

// groupRuns groups runs by what they measured with the servers. A run joins the latest group that it is comparable with: after an experiment with
// other settings, the earlier series continues.
func groupRuns(runs []*archive.Run, servers []string) grouping {
	g := grouping{of: make([]int, len(runs))}
	for i, run := range runs {
		if !hasAll(run, servers) {
			continue
		}
		g.of[i] = g.place(runs, i, servers)
	}
	return g
}

// place returns the group of a run, and adds one if it fits none.
func (g *grouping) place(runs []*archive.Run, i int, servers []string) int {
	recent := slices.Clone(g.last)
	slices.Sort(recent)
	slices.Reverse(recent)
	why := ""
	for _, last := range recent {
		different, unknown := compare.Differences(runs[last], runs[i], servers)
		if len(different) == 0 {
			for _, name := range unknown {
				if !slices.Contains(g.unknown, name) {
					g.unknown = append(g.unknown, name)
				}
			}
			group := g.of[last]
			g.last[group-1] = i
			return group
		}
		if why == "" {
			why = strings.Join(different, results.Separator)
		}
	}
	g.last = append(g.last, i)
	if why != "" {
		g.breaks = append(g.breaks, Break{Run: i, Why: why})
	}
	return len(g.last)
}

func hasAll(run *archive.Run, servers []string) bool {
	there := compare.Servers(run)
	return !slices.ContainsFunc(servers, func(server string) bool { return !slices.Contains(there, server) })
}

// noteUnknown returns a note about facts that are not known of all runs of a group; empty if there are none.
func (g *grouping) noteUnknown() string {
	if len(g.unknown) == 0 {
		return ""
	}
	return fmt.Sprintf("not known for all runs, so possibly different: %s", strings.Join(g.unknown, ", "))
}

// group sorts the runs into groups for each server, and over all servers.
func (b *builder) group() {
	b.groups = map[string]grouping{}
	for _, server := range b.servers {
		g := groupRuns(b.runs, b.with(server))
		b.groups[server] = g
		for _, br := range g.breaks {
			if !slices.Contains(b.history.Breaks, br) {
				b.history.Breaks = append(b.history.Breaks, br)
			}
		}
		if note := g.noteUnknown(); note != "" {
			b.note("%s", note)
		}
	}
	slices.SortStableFunc(b.history.Breaks, func(x, y Break) int { return cmp.Compare(x.Run, y.Run) })
	shown := b.servers
	if b.history.Baseline != "" {
		shown = append([]string{b.history.Baseline}, shown...)
	}
	var kinds [][]int
	for i, run := range b.runs {
		var kind int
		kind, kinds = b.kindOf(i, kinds)
		b.history.Runs = append(b.history.Runs, Run{ID: run.ID(), At: run.Began(), Group: kind, Facts: factsOf(run, shown...),
			Measurements: b.nights[i].measurements, Invalid: b.nights[i].invalid})
	}
}

// kindOf returns the number of a run's combination of groups, from 1 on. A server that a run does not have fits every combination.
func (b *builder) kindOf(run int, kinds [][]int) (int, [][]int) {
	own := make([]int, len(b.servers))
	for i, server := range b.servers {
		own[i] = b.groups[server].of[run]
	}
	for k := len(kinds) - 1; k >= 0; k-- {
		fits := true
		for i, group := range own {
			fits = fits && (group == 0 || kinds[k][i] == 0 || kinds[k][i] == group)
		}
		if fits {
			for i, group := range own {
				kinds[k][i] = max(kinds[k][i], group)
			}
			return k + 1, kinds
		}
	}
	return len(kinds) + 1, append(kinds, own)
}

// with returns the servers that decide whether runs are comparable for a server.
func (b *builder) with(server string) []string {
	if b.history.Baseline == "" {
		return []string{server}
	}
	return []string{b.history.Baseline, server}
}
