package report

import (
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/compare"
)

// LoadSection is the figures of one load.
type LoadSection struct {
	Name    string
	Servers []Server
	Figures []*Figure
	// Forest of the metrics that carry no verdict; nil where there are none.
	Forest *Forest
	// Missing reports what could not be drawn.
	Missing []string
}

// mostRepeats is how many measurements of a server are drawn over their own time; of more, each is a dot along the run's time.
const mostRepeats = 10

func (b *builder) loads() {
	cells := b.cells()
	groups := b.groups()
	sweeps := compare.Sweeps(cells)
	for _, cell := range cells {
		at := slices.IndexFunc(sweeps, func(s compare.Sweep) bool { return s.Holds(cell) })
		if at < 0 {
			b.page.Loads = append(b.page.Loads, b.load(cell, groups))
		} else if sweeps[at].Cells[0] == cell {
			b.page.Loads = append(b.page.Loads, b.sweep(sweeps[at], sweeps, groups))
		}
	}
}

func (b *builder) load(cell compare.Cell, groups []compare.Group) LoadSection {
	section := LoadSection{Name: b.loadName(cell)}
	var here []compare.Group
	for _, g := range groups {
		if g.Cell == cell {
			here = append(here, g)
			section.Servers = append(section.Servers, Server{b.series[g.Server], g.Server, b.typeOf(g.Server)})
		}
	}
	if len(here) == 0 {
		section.add(nil, "no valid measurement: there is nothing to draw")
		return section
	}
	if b.atRest(cell) {
		section.forests(b, cell)
		return section
	}
	if searched(here) {
		b.capacities(&section, here)
		section.add(b.spectrum(here))
		section.forests(b, cell)
		return section
	}
	section.add(b.spectrum(here))
	b.operationSpectra(&section, here)
	if slices.ContainsFunc(here, func(g compare.Group) bool { return len(g.Rows) > mostRepeats }) {
		section.add(b.overRun(here, "Op rate over the run", "op_rate"))
		section.add(b.overRun(here, "95th percentile over the run", "latency_p95_ms"))
	} else {
		section.add(b.overTime(here, "Op rate over time", "1/s", rateOf))
		section.add(b.overTime(here, "95th percentile over time", b.units.Latency(), b.p95Of))
	}
	section.add(b.sinceFault(here))
	section.forests(b, cell)
	return section
}

func (s *LoadSection) add(figure *Figure, missing string) {
	if figure != nil {
		s.Figures = append(s.Figures, figure)
	}
	if missing != "" {
		s.Missing = append(s.Missing, missing)
	}
}

// forests draws the metrics that carry no verdict; those that do are at the report's top.
func (s *LoadSection) forests(b *builder, cell compare.Cell) {
	if b.result == nil {
		return
	}
	var groups []effects
	for _, metric := range compare.TableMetrics(b.run.Rows) {
		var here []compare.Comparison
		for _, c := range b.result.Comparisons {
			if c.Cell == cell && c.Metric.Name == metric.Name && !c.Primary && !math.IsNaN(c.Ratio) { // of what is not known the comparison says why
				here = append(here, c)
			}
		}
		groups = append(groups, effects{metric.Title, better(metric), here})
	}
	slices.SortStableFunc(groups, func(x, y effects) int { return differences(x) - differences(y) })
	s.Forest = newForest("Other metrics, against "+b.page.CompareTo, groups)
}

// differences come after ratios, with an axis of their own.
func differences(of effects) int {
	if len(of.of) > 0 && of.of[0].Difference {
		return 1
	}
	return 0
}
