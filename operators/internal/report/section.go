package report

import (
	"slices"

	"ringside.dev/ringside/operators/internal/compare"
)

// LoadSection is the figures of one load.
type LoadSection struct {
	Name    string
	Servers []Server
	Figures []*Figure
	Forests []*Forest
	// Missing says what could not be drawn.
	Missing []string
	// Differences says that some forests are of those.
	Differences bool
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

func (s *LoadSection) forests(b *builder, cell compare.Cell) {
	if b.result == nil {
		return
	}
	for _, metric := range compare.TableMetrics(b.run.Rows) {
		var here []compare.Comparison
		for _, c := range b.result.Comparisons {
			if c.Cell == cell && c.Metric.Name == metric.Name {
				here = append(here, c)
			}
		}
		better := "lower is better"
		if metric.HigherIsBetter {
			better = "higher is better"
		}
		title := metric.Title
		if metric.Difference {
			title += ", difference in " + metric.Unit()
		}
		if f := newForest(title, better, here,
			func(server string) int { return b.series[server] }); f != nil {
			s.Forests = append(s.Forests, f)
			s.Differences = s.Differences || metric.Difference
		}
	}
}
