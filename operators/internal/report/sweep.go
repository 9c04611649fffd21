package report

import (
	"math"
	"slices"
	"strconv"

	"ringside.dev/ringside/operators/internal/compare"
)

// sweep draws figures over what was swept, a line per server.
func (b *builder) sweep(sweep compare.Sweep, all []compare.Sweep, groups []compare.Group) LoadSection {
	section := LoadSection{Name: sweep.Name(all), Servers: b.page.Servers}
	if sweep.Axis.OffersRates() {
		section.Figures = b.offered(sweep)
		return section
	}
	var counts []float64
	for _, cell := range sweep.Cells {
		counts = append(counts, float64(sweep.Axis.Of(cell)))
	}
	by := sweep.Axis.Title
	for _, metric := range b.metrics() {
		lines := b.sweepLines(sweep, metric, groups)
		if most(lines) <= 0 {
			continue // of no server
		}
		unit, y := metric.Unit()+", logarithmic", scale(newLogarithmic(least(lines), most(lines)))
		if metric.HigherIsBetter {
			unit, y = metric.Unit(), newLinear(most(lines))
		}
		section.Figures = append(section.Figures, &Figure{
			Title: metric.Title + " by " + by, Unit: unit, Table: byCount(by+", "+metric.Unit(), counts, lines),
			Charts: []*Chart{newChart(wide, by+", logarithmic", newCounts(counts), y, lines...)},
		})
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
			line.x, line.y = append(line.x, float64(sweep.Axis.Of(g.Cell))), append(line.y, metric.Shown(value))
		}
		if len(line.x) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// byCount is the table of lines over the same counts: a row for each count, a column for each line.
func byCount(title string, counts []float64, lines []series) Table {
	table := Table{Columns: []string{title}}
	for _, line := range lines {
		table.Columns = append(table.Columns, line.name)
	}
	for _, count := range counts {
		cells := []string{strconv.FormatFloat(count, 'f', -1, 64)}
		for _, line := range lines {
			cell := ""
			if at := slices.Index(line.x, count); at >= 0 && !math.IsNaN(line.y[at]) {
				cell = digits(line.y[at])
			}
			cells = append(cells, cell)
		}
		table.add(cells...)
	}
	return table
}
