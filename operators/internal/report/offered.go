package report

import (
	"fmt"
	"slices"
	"strconv"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
)

// curve is one server's percentile over the offered rates.
type curve struct {
	server Server
	// band over the measurements of each rate that was kept up with.
	band band
	// missed are the rates that were not, in some measurements or in all: the middle of what those showed.
	missedX, missedY []float64
	// cells of the figure's table, one for each rate.
	cells []string
	// several measurements at a rate.
	several bool
}

// offered draws each percentile of latency over the load that was offered.
func (b *builder) offered(sweep compare.Sweep) []*Figure {
	var figures []*Figure
	for _, metric := range compare.Metrics() {
		if metric.Percentile == 0 {
			continue
		}
		metric = metric.In(b.units)
		var curves []curve
		for _, server := range b.page.Servers {
			if c := b.curve(sweep, metric, server); len(c.band.x)+len(c.missedX) > 0 {
				curves = append(curves, c)
			}
		}
		if slices.ContainsFunc(curves, func(c curve) bool { return len(c.band.x) > 0 }) {
			figures = append(figures, b.offeredFigure(sweep, metric, curves))
		}
	}
	return figures
}

func (b *builder) curve(sweep compare.Sweep, metric compare.Metric, server Server) curve {
	c := curve{server: server}
	for _, cell := range sweep.Cells {
		rate, offer := float64(sweep.Axis.Of(cell)), compare.Offer(b.run, server.Name, cell)
		c.several = c.several || offer.Of() > 1
		kept, missed := b.valuesOf(offer.Kept, metric), b.valuesOf(offer.Missed, metric)
		text := ""
		if offer.Reached() && len(kept) > 0 {
			c.band.add(rate, kept)
			if text = digits(middle(kept)); len(kept) > 1 {
				text += fmt.Sprintf(" (%s to %s)", digits(kept[0]), digits(kept[len(kept)-1]))
			}
		}
		if len(offer.Missed) > 0 {
			if len(missed) > 0 {
				c.missedX, c.missedY = append(c.missedX, rate), append(c.missedY, middle(missed))
			}
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%s %d of %d", compare.MissedText, len(offer.Missed), offer.Of())
		}
		c.cells = append(c.cells, text)
	}
	return c
}

// valuesOf the measurements that have enough operations for the metric, ascending.
func (b *builder) valuesOf(rows []*results.Row, metric compare.Metric) []float64 {
	var values []float64
	for _, row := range rows {
		if value, known := compare.FigureOf(b.run, row, metric); known {
			values = append(values, metric.Shown(value))
		}
	}
	slices.Sort(values)
	return values
}

// add a place with sorted values.
func (b *band) add(x float64, sorted []float64) {
	b.x, b.mid = append(b.x, x), append(b.mid, middle(sorted))
	b.low, b.high = append(b.low, sorted[0]), append(b.high, sorted[len(sorted)-1])
}

func (b *builder) offeredFigure(sweep compare.Sweep, metric compare.Metric, curves []curve) *Figure {
	const label = "operations offered per second"
	figure := &Figure{Title: metric.Title + " by offered rate", Unit: metric.Unit() + ", logarithmic", Table: offeredTable(sweep, metric, curves)}
	var rates []float64
	for _, cell := range sweep.Cells {
		rates = append(rates, float64(sweep.Axis.Of(cell)))
	}
	all, apart := extremesOf(curves), len(curves) > fewArms
	for _, c := range curves {
		apart = apart || c.several
	}
	x, y := newExtent(slices.Max(rates)), newLogarithmic(least(all), most(all))
	if apart && len(curves) > 1 {
		figure.Unit += ", over " + label
		for i := range curves {
			figure.Charts = append(figure.Charts, curveChart(curves, i, x, y))
		}
	} else {
		chart := newChart(wide, label, x, y, linesOf(curves, -1)...)
		for _, c := range curves {
			c.onto(chart, x, y)
		}
		figure.Charts = []*Chart{chart}
	}
	figure.Note = "Line: the median of a server's measurements at each rate"
	if apart {
		figure.Note += ", with the band from the lowest of them to the highest"
	}
	figure.Note += fmt.Sprintf(". A cross is no such point: there, in some measurements or in all, less than %s of the rate was answered, and latency is that of a backlog.",
		compare.LeastShare(b.run))
	if len(figure.Charts) > 1 {
		figure.Note += " Grey: the other servers."
	}
	return figure
}

// curveChart is a small chart of one server, with the others behind.
func curveChart(curves []curve, at int, x, y scale) *Chart {
	chart := newChart(small, "", x, y, linesOf(curves, at)...)
	chart.Caption = curves[at].server.Name
	curves[at].onto(chart, x, y)
	return chart
}

// linesOf the curves; of all but one as context where one is chosen.
func linesOf(curves []curve, chosen int) []series {
	var lines []series
	for i, c := range curves {
		context := chosen >= 0 && i != chosen
		lines = append(lines, series{number: c.server.Series, name: c.server.Name, x: c.band.x, y: c.band.mid, context: context, dots: !context})
	}
	slices.SortStableFunc(lines, func(a, b series) int { // what is behind is drawn first
		return boolOrder(b.context) - boolOrder(a.context)
	})
	return lines
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// onto draws the band, and a cross for each rate that was missed.
func (c curve) onto(chart *Chart, x, y scale) {
	if c.several {
		chart.addBand(c.server.Series, c.band, x, y)
	}
	for i := range c.missedX {
		chart.Crosses = append(chart.Crosses, Cross{c.server.Series, Dot{chart.px(x, c.missedX[i]), chart.py(y, c.missedY[i])}})
	}
}

// extremesOf the curves as lines, for a scale that holds them all.
func extremesOf(curves []curve) []series {
	var all []series
	for _, c := range curves {
		all = append(all, series{y: c.band.low}, series{y: c.band.high}, series{y: c.missedY})
	}
	return all
}

func offeredTable(sweep compare.Sweep, metric compare.Metric, curves []curve) Table {
	table := Table{Columns: []string{"offered 1/s, " + metric.Unit()}}
	for _, c := range curves {
		table.Columns = append(table.Columns, c.server.Name)
	}
	for i, cell := range sweep.Cells {
		cells := []string{strconv.Itoa(sweep.Axis.Of(cell))}
		for _, c := range curves {
			cells = append(cells, c.cells[i])
		}
		table.add(cells...)
	}
	return table
}
