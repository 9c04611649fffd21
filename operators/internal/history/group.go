package history

import (
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
