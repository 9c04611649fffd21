package report

import (
	"fmt"
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/faults"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

const (
	// lead is how many seconds before a fault are drawn, for the level to be seen that it fell from.
	lead = 5
	// sincePoints of a line: seconds, of phases that are not much longer.
	sincePoints = 300
	// mostShare of the level that is drawn: who catches up in one second would flatten all others.
	mostShare = 1.5
	// shareStep between ticks of shares, and headroom for the level not to be the chart's edge.
	shareStep, headroom = 0.25, 0.05
)

// since an event: an axis that begins before it, with its ticks at round times from it on.
type since struct {
	lead float64
	linear
}

func (s since) place(value float64) float64 { return (value + s.lead) / (s.lead + s.end) }

// sinceFault draws what was answered from a fault on, as a share of the level before: the mean of a server's faults, and each of them thin.
func (b *builder) sinceFault(groups []compare.Group) (*Figure, string) {
	const title = "Answered since a fault"
	var arms []arm
	without, total := 0, 0
	for _, g := range groups {
		a := arm{server: Server{b.series[g.Server], g.Server, b.typeOf(g.Server)}}
		for _, row := range g.Rows {
			if len(row.Faults.List) == 0 {
				continue
			}
			total++
			lines, stretches := b.afterFaults(row, b.series[g.Server])
			if len(lines) == 0 {
				without++
			}
			a.lines, a.faults = append(a.lines, lines...), append(a.faults, stretches...)
		}
		if len(a.lines) > 0 {
			arms = append(arms, a)
		}
	}
	return sinceFigure(title, arms), withoutLog(title, without, total)
}

// afterFaults of a measurement: a line and a stretch for each, in seconds from it; none if the log does not have them.
func (b *builder) afterFaults(row *results.Row, number int) ([]series, []stretch) {
	log := b.run.Logs[row.Measurement]
	if log == nil {
		return nil, nil
	}
	pieces, err := measure.Pieces([]measure.PodLog{{Log: log}})
	if err != nil || len(pieces) == 0 {
		return nil, nil
	}
	moments := slices.Clone(row.Faults.List)
	slices.SortFunc(moments, func(x, y results.Fault) int { return int(x.At - y.At) })
	begin, end := pieces[0].Start, pieces[len(pieces)-1].End.Sub(pieces[0].Start).Seconds()
	level, there := faults.LevelBefore(pieces, begin.Add(moments[0].At))
	if !there {
		return nil, nil
	}
	var lines []series
	var stretches []stretch
	for i, fault := range moments {
		at, until := fault.At.Seconds(), end
		if i+1 < len(moments) {
			until = moments[i+1].At.Seconds()
		}
		line := series{number: number, name: fmt.Sprintf("%s, fault %s", nameOf(row), faultName(fault)), thin: true}
		for _, p := range pieces {
			middle := p.Start.Add(p.End.Sub(p.Start) / 2).Sub(begin).Seconds()
			if at-lead <= middle && middle <= until {
				line.x, line.y = append(line.x, middle-at), append(line.y, p.Rate()/level)
			}
		}
		lines = append(lines, line)
		back := until - at
		if fault.Ready.Known {
			back = min(back, fault.Ready.Value.Seconds())
		}
		stretches = append(stretches, stretch{0, back})
	}
	return lines, stretches
}

func faultName(fault results.Fault) string {
	return fmt.Sprintf("%s of node %d", fault.Name(), fault.Node)
}

// sinceFigure draws few servers in one chart, where they are seen together, and more in one each.
func sinceFigure(title string, arms []arm) *Figure {
	if len(arms) == 0 {
		return nil
	}
	var all, means []series
	for _, a := range arms {
		all = append(all, a.lines...)
		means = append(means, meanLine(a))
	}
	figure := &Figure{Title: title, Unit: "share of the level before", Table: sinceTable(arms, means),
		Note: "Line: the mean of a server's faults, second by second; thin: each of them. " +
			"Shaded: from the fault until the node was ready, on the mean. 1 is the median rate of the seconds before the phase's first fault."}
	if most(all) > mostShare {
		figure.Note += fmt.Sprintf(" What is above %g, because it had waited, is cut off.", mostShare)
	}
	x, y := since{lead, newExtent(longest(all))}, linear{shareStep, min(max(most(all), 1)+headroom, mostShare)}
	const xLabel = "seconds since the fault"
	if len(arms) <= fewArms {
		chart := newChart(wide, xLabel, x, y, append(all, means...)...)
		var stretches []stretch
		for _, a := range arms {
			stretches = append(stretches, a.faults...)
		}
		chart.addFault(meanStretch(stretches), x)
		figure.Charts = []*Chart{chart}
		return figure
	}
	figure.Unit += ", over " + xLabel
	figure.Note += " Grey: the means of the other servers."
	for i, a := range arms {
		var lines []series
		for other, mean := range means {
			if other != i {
				lines = append(lines, series{name: mean.name, x: mean.x, y: mean.y, context: true})
			}
		}
		chart := newChart(small, "", x, y, append(append(lines, a.lines...), means[i])...)
		chart.Caption = a.server.Name
		chart.addFault(meanStretch(a.faults), x)
		figure.Charts = append(figure.Charts, chart)
	}
	return figure
}

// meanLine of an arm's lines, at places that all of them share; where fewer than half of them have a value it ends, or it would jump.
func meanLine(a arm) series {
	mean := series{number: a.server.Series, name: a.server.Name + ", mean"}
	end := longest(a.lines)
	step := max(1, math.Ceil((end+lead)/sincePoints))
	for x := -float64(lead); x <= end; x += step {
		sum, known := 0.0, 0
		for _, line := range a.lines {
			if y := line.at(x); !math.IsNaN(y) {
				sum, known = sum+y, known+1
			}
		}
		if 2*known >= len(a.lines) && known > 0 {
			mean.x, mean.y = append(mean.x, x), append(mean.y, sum/float64(known))
		}
	}
	return mean
}

// meanStretch from the fault on.
func meanStretch(all []stretch) stretch {
	sum := 0.0
	for _, s := range all {
		sum += s.to
	}
	return stretch{0, sum / float64(len(all))}
}

// sinceTable has the same in numbers: how low the mean line goes and when, and what was answered in the first seconds.
func sinceTable(arms []arm, means []series) Table {
	windows := []float64{5, 10, 30, 60}
	table := Table{Columns: []string{"server, share of the level", "faults", "lowest", "at s", "node ready after s"}}
	for _, window := range windows {
		table.Columns = append(table.Columns, fmt.Sprintf("first %g s", window))
	}
	for i, a := range arms {
		lowest, at := math.Inf(1), 0.0
		for j, y := range means[i].y {
			if means[i].x[j] >= 0 && y < lowest {
				lowest, at = y, means[i].x[j]
			}
		}
		cells := []string{a.server.Name, fmt.Sprint(len(a.lines)), share(lowest), digits(at), digits(meanStretch(a.faults).to)}
		for _, window := range windows {
			cells = append(cells, share(meanUntil(means[i], window)))
		}
		table.add(cells...)
	}
	return table
}

// meanUntil so many seconds after the fault; NaN where the line ends before.
func meanUntil(line series, seconds float64) float64 {
	sum, known, end := 0.0, 0, 0.0
	for i, x := range line.x {
		if x >= 0 && x < seconds {
			sum, known = sum+line.y[i], known+1
		}
		end = x
	}
	if known == 0 || end < seconds-1 {
		return math.NaN()
	}
	return sum / float64(known)
}

// share in three decimals; empty where there is none.
func share(part float64) string { return compare.Decimals(part, 3) }
