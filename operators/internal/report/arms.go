package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// arm is one server's lines in a figure over time.
type arm struct {
	server Server
	lines  []series
	// faults are when a node of the store was away under one of the lines.
	faults []stretch
}

// stretch of time, in seconds.
type stretch struct{ from, to float64 }

// fewArms is how many servers' single lines a reader can distinguish in one chart.
const fewArms = 3

// drawn decides the layout of arms: all in one chart if they are few and have a line each, else each in a small chart
// of its own, with the others in grey behind it. The axes are the same in all of them.
func drawn(title, xLabel, unit string, arms []arm) *Figure {
	var all []series
	single := len(arms) <= fewArms
	for _, a := range arms {
		all = append(all, a.lines...)
		single = single && len(a.lines) == 1
	}
	if len(all) == 0 {
		return nil
	}
	figure := &Figure{Title: title, Unit: unit, Table: extremes(unit, arms)}
	y := scale(newLinear(most(all)))
	if spreads(all) {
		y, figure.Unit = newLogarithmic(least(all), most(all)), unit+", logarithmic"
	}
	x := newExtent(longest(all))
	if single {
		chart := newChart(wide, xLabel, x, y, all...)
		for _, a := range arms {
			figure.shade(chart, a, x)
		}
		figure.Charts = []*Chart{chart}
		return figure
	}
	figure.Unit += ", over " + xLabel
	figure.small(arms, x, y)
	return figure
}

// shade the time in which nodes of an arm's store were away.
func (f *Figure) shade(chart *Chart, a arm, x scale) {
	for _, s := range joined(a.faults) {
		chart.addFault(s, x)
	}
	const shaded = "Shaded from bottom to top: a node of the store was hit, and was not ready again."
	if len(a.faults) > 0 && !strings.Contains(f.Note, shaded) {
		f.Note = strings.TrimSpace(f.Note + " " + shaded)
	}
}

// joined are stretches that overlap as one, in order: of many measurements drawn over each other the shades would add up to a wall.
func joined(all []stretch) []stretch {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	var out []stretch
	for _, s := range sorted {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// small draws a chart for each arm.
func (f *Figure) small(arms []arm, x, y scale) {
	bands := make([]band, len(arms))
	several := false
	for i, a := range arms {
		bands[i] = bandOf(a.lines)
		several = several || len(a.lines) > 1
	}
	size := small
	if len(arms) == 1 {
		size = wide
	}
	for i, a := range arms {
		var lines []series
		for other := range arms {
			if other != i {
				lines = append(lines, series{name: arms[other].server.Name, x: bands[other].x, y: bands[other].mid, context: true})
			}
		}
		switch {
		case len(a.lines) == 0:
		case len(a.lines) == 1:
			lines = append(lines, a.lines[0])
		default:
			lines = append(lines, series{number: a.server.Series, name: a.server.Name, x: bands[i].x, y: bands[i].mid})
		}
		chart := newChart(size, "", x, y, lines...)
		chart.Caption = a.server.Name
		if len(a.lines) > 1 {
			chart.addBand(a.server.Series, bands[i], x, y)
		}
		f.shade(chart, a, x)
		f.Charts = append(f.Charts, chart)
	}
	if several {
		f.Note += " Line: the median of a server's measurements at each moment; band: from the lowest of them to the highest."
	}
	if len(arms) > 1 {
		f.Note += " Grey: the other servers."
	}
	f.Note = strings.TrimSpace(f.Note)
}

// spreads reports whether values are so far apart that a linear axis shows the highest alone.
func spreads(lines []series) bool {
	var values []float64
	for _, line := range lines {
		for _, y := range line.y {
			if !math.IsNaN(y) {
				values = append(values, y)
			}
		}
	}
	slices.Sort(values)
	const far = 10
	return len(values) > 0 && values[0] > 0 && values[len(values)-1] > far*middle(values)
}

// extremes is the table of a figure over time.
func extremes(unit string, arms []arm) Table {
	table := Table{Columns: []string{"server, " + unit, "lines", "lowest", "median", "highest"}}
	for _, a := range arms {
		var values []float64
		for _, line := range a.lines {
			for _, y := range line.y {
				if !math.IsNaN(y) {
					values = append(values, y)
				}
			}
		}
		if len(values) == 0 {
			continue
		}
		slices.Sort(values)
		table.add(a.server.Name, strconv.Itoa(len(a.lines)), digits(values[0]), digits(middle(values)), digits(values[len(values)-1]))
	}
	return table
}

func withoutLog(title string, without, total int) string {
	if without == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %d of %d measurements have no readable log", title, without, total)
}
