package report

import (
	"fmt"
	"math"
	"slices"
	"time"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// LoadSection is the charts of one load.
type LoadSection struct {
	Name    string
	Servers []Server
	Charts  []*Chart
	Forests []*Forest
	// Missing says what could not be drawn.
	Missing []string
}

const (
	// fewLines is how many measurements per server are laid over each other; of more, each is a dot along the run's time.
	fewLines = 4
	// ticksPerHalfDistance of spectra: points for every halving of the distance to 100 percent.
	ticksPerHalfDistance = 10
)

func (b *builder) loads() {
	cells := b.cells()
	groups := b.groups()
	sweeps := compare.Sweeps(cells)
	for _, cell := range cells {
		at := slices.IndexFunc(sweeps, func(s compare.Sweep) bool { return s.Holds(cell) })
		if at < 0 {
			b.page.Loads = append(b.page.Loads, b.load(cell, groups))
		} else if sweeps[at].Cells[0] == cell {
			b.page.Loads = append(b.page.Loads, b.sweep(sweeps[at], groups))
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
	section.add(b.spectrum(here))
	if slices.ContainsFunc(here, func(g compare.Group) bool { return len(g.Rows) > fewLines }) {
		section.add(b.overRounds(here, "Op rate over the run", "1/s", "op_rate"))
		section.add(b.overRounds(here, "95th percentile over the run", "ms", "latency_p95_ms"))
	} else {
		section.add(b.overTime(here, "Op rate over time", "1/s", rateOf))
		section.add(b.overTime(here, "95th percentile over time", "ms", p95Of))
	}
	section.forests(b, cell)
	return section
}

func (s *LoadSection) add(chart *Chart, missing string) {
	if chart != nil {
		s.Charts = append(s.Charts, chart)
	}
	if missing != "" {
		s.Missing = append(s.Missing, missing)
	}
}

func (s *LoadSection) forests(b *builder, cell compare.Cell) {
	if b.result == nil {
		return
	}
	for _, metric := range compare.TableMetrics() {
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
		if f := newForest(metric.Title, better, here,
			func(server string) int { return b.series[server] }); f != nil {
			s.Forests = append(s.Forests, f)
		}
	}
}

// spectrum draws a line per server from the merged histograms of all its measurements.
func (b *builder) spectrum(groups []compare.Group) (*Chart, string) {
	var lines []series
	missing := 0
	for _, g := range groups {
		merged, err := compare.Merged(b.run, g.Rows)
		if err != nil {
			missing++
			continue
		}
		s := series{number: b.series[g.Server], name: g.Server}
		for _, point := range measure.Spectrum(merged, ticksPerHalfDistance) {
			s.x = append(s.x, point.Percentile)
			s.y = append(s.y, float64(point.Nanos)/1e6)
		}
		lines = append(lines, s)
	}
	note := ""
	if missing > 0 {
		note = fmt.Sprintf("no latency spectrum for %d servers: their histograms are missing", missing)
	}
	if len(lines) == 0 {
		return nil, note
	}
	return newChart("Latency by percentile", "percentile of operations", "ms, logarithmic", percentiles{}, newLogarithmic(least(lines), most(lines)), lines), note
}

// rateOf and p95Of read a piece of a log's time line; NaN where there is nothing.
func rateOf(cell measure.Cell) float64 {
	seconds := cell.End.Sub(cell.Start).Seconds()
	if seconds <= 0 {
		return math.NaN()
	}
	if cell.Histogram == nil {
		return 0
	}
	return float64(cell.Histogram.TotalCount()) / seconds
}

func p95Of(cell measure.Cell) float64 {
	if cell.Histogram == nil || cell.Histogram.TotalCount() == 0 {
		return math.NaN()
	}
	return float64(measure.ValueAt(cell.Histogram, 95)) / 1e6
}

// overTime lays a line for each measurement over each other, from their starts.
func (b *builder) overTime(groups []compare.Group, title, unit string, read func(measure.Cell) float64) (*Chart, string) {
	var lines []series
	without, total := 0, 0
	for _, g := range groups {
		for i, row := range g.Rows {
			total++
			cells, err := b.timeline(row)
			if err != nil || len(cells) == 0 {
				without++
				continue
			}
			lines = append(lines, lineOf(cells, series{
				number: b.series[g.Server], name: fmt.Sprintf("%s, round %d, no. %d", g.Server, row.Round, row.Repeat), faint: i > 0,
			}, read))
		}
	}
	note := ""
	if without > 0 {
		note = fmt.Sprintf("%s: %d of %d measurements have no readable log", title, without, total)
	}
	if len(lines) == 0 {
		return nil, note
	}
	return newChart(title, "seconds since the phase began", unit, newLinear(longest(lines)), newLinear(most(lines)), lines), note
}

func lineOf(cells []measure.Cell, s series, read func(measure.Cell) float64) series {
	origin := cells[0].Start
	// A last piece that is much shorter than the others says little of itself and looks like a collapse.
	if n := len(cells); n > 2 && cells[n-1].End.Sub(cells[n-1].Start) < cells[0].End.Sub(cells[0].Start)/2 {
		cells = cells[:n-1]
	}
	for _, cell := range cells {
		at := cell.Start.Add(cell.End.Sub(cell.Start) / 2).Sub(origin)
		s.x, s.y = append(s.x, at.Seconds()), append(s.y, read(cell))
	}
	return s
}

// overRounds draws a dot for each measurement of many, where it was taken in the run's time: drifts show, and outliers.
func (b *builder) overRounds(groups []compare.Group, title, unit, column string) (*Chart, string) {
	begin := b.begin()
	var lines []series
	for _, g := range groups {
		s := series{number: b.series[g.Server], name: g.Server, faint: true, dots: true}
		for _, row := range g.Rows {
			value := results.MustColumn(column).Value(row)
			if row.StartedAt.IsZero() || math.IsNaN(value) {
				continue
			}
			s.x, s.y = append(s.x, row.StartedAt.Sub(begin).Minutes()), append(s.y, value)
		}
		lines = append(lines, s)
	}
	return newChart(title, "minutes since the run's first measurement", unit, newLinear(longest(lines)), newLinear(most(lines)), lines), ""
}

func (b *builder) begin() time.Time {
	var begin time.Time
	for _, row := range b.run.Rows {
		if t := row.StartedAt; !t.IsZero() && (begin.IsZero() || t.Before(begin)) {
			begin = t
		}
	}
	return begin
}

// timelinePoints of a line over time: as many as can be told from noise. Shorter intervals are joined, exactly.
const timelinePoints = 60

func (b *builder) timeline(row *results.Row) ([]measure.Cell, error) {
	log := b.run.Logs[row.Measurement]
	if log == nil {
		return nil, fmt.Errorf("%s has no log", row.Measurement)
	}
	drawn, err := measure.Coalesce(log, timelinePoints)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", row.Measurement, err)
	}
	return measure.Cells(drawn, row.LatencyKind)
}

// sweep draws figures over thread counts, a line per server.
func (b *builder) sweep(sweep compare.Sweep, groups []compare.Group) LoadSection {
	section := LoadSection{Name: sweep.Operation() + ", by threads", Servers: b.page.Servers}
	var counts []float64
	for _, cell := range sweep.Cells {
		counts = append(counts, float64(cell.Threads))
	}
	for _, metric := range compare.TableMetrics() {
		lines := b.sweepLines(sweep, metric, groups)
		if len(lines) == 0 {
			continue
		}
		unit, y := metric.Unit()+", logarithmic", scale(newLogarithmic(least(lines), most(lines)))
		if metric.HigherIsBetter {
			unit, y = metric.Unit(), newLinear(most(lines))
		}
		section.Charts = append(section.Charts, newChart(metric.Title+" by threads", "threads, logarithmic", unit, newCounts(counts), y, lines))
	}
	return section
}

func (b *builder) sweepLines(sweep compare.Sweep, metric compare.Metric, groups []compare.Group) []series {
	var lines []series
	for _, server := range b.page.Servers {
		line := series{number: server.Series, name: server.Name, dots: true}
		for _, g := range groups {
			if g.Server != server.Name || !sweep.Holds(g.Cell) {
				continue
			}
			value, err := compare.Figure(b.run, g.Rows, metric)
			if err != nil {
				value = math.NaN()
			}
			line.x, line.y = append(line.x, float64(g.Cell.Threads)), append(line.y, value)
		}
		if len(line.x) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}
