package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
)

// capacities draws what the searches for a capacity found over the rounds, and how.
func (b *builder) capacities(section *LoadSection, groups []compare.Group) {
	column := results.MustColumn("capacity")
	var arms []arm
	for _, g := range groups {
		line := series{number: b.series[g.Server], name: g.Server, faint: true, dots: true}
		for i, row := range g.Rows {
			if value := column.Value(row); !math.IsNaN(value) {
				line.x, line.y = append(line.x, float64(i+1)), append(line.y, value)
			}
		}
		arms = append(arms, arm{server: Server{b.series[g.Server], g.Server, b.typeOf(g.Server)}, lines: []series{line}})
	}
	title := "Capacity: highest rate with " + groups[0].Rows[0].Objective
	section.add(drawn(title, "measurements, in their order", column.Unit, arms), "")
	section.add(b.searches(groups))
}

// searches draws the rates that were tried, step by step: a small chart for each server, a line for each measurement.
func (b *builder) searches(groups []compare.Group) (*Figure, string) {
	figure := &Figure{
		Title: "Rates that the searches tried", Unit: "1/s, logarithmic, over steps",
		Table: Table{Columns: []string{"server, round", "steps", "capacity, 1/s", "settled", "growth of the queue next to it, 1/s"}},
		Note:  "A dot is a step that kept the objective, a cross one that did not.",
	}
	without := 0
	var all []series
	tried := make([][]walk, len(groups))
	for i, g := range groups {
		for _, row := range g.Rows {
			found := b.foundBy(row)
			if found == nil {
				without++
				continue
			}
			w := walkOf(found, b.series[g.Server], nameOf(row))
			tried[i], all = append(tried[i], w), append(all, w.line)
			figure.Table.add(fmt.Sprintf("%s, %s", g.Server, nameOf(row)), strconv.Itoa(len(found.Steps)),
				strconv.FormatInt(found.Rate, 10), strconv.FormatBool(found.Settled), growthAt(found))
		}
	}
	missing := ""
	if without > 0 {
		missing = fmt.Sprintf("%d searches have no steps that could be drawn: their manifests are missing", without)
	}
	if len(all) == 0 {
		return nil, missing
	}
	size := small
	if len(groups) == 1 {
		size = wide
	}
	x, y := newExtent(longest(all)), newLogarithmic(least(all), most(all))
	for i, g := range groups {
		figure.Charts = append(figure.Charts, walkChart(g.Server, tried[i], size, x, y))
	}
	return figure, missing
}

// growthAt the step next to the capacity, with what it is at least and at most, of a search that goes by the queue; else empty.
func growthAt(found *v1beta1.Capacity) string {
	if found.Nearest() == 0 {
		return ""
	}
	step := found.Steps[found.Nearest()-1]
	if step.QueueGrowth == "" {
		return ""
	}
	return fmt.Sprintf("%s [%s, %s]", step.QueueGrowth, step.QueueGrowthLeast, step.QueueGrowthMost)
}

// walk is a search as lines: its rates, those that were kept, and the places of those that were not.
type walk struct {
	line, kept series
	missed     []int
}

func walkOf(found *v1beta1.Capacity, number int, name string) walk {
	w := walk{line: series{number: number, name: name, faint: true}, kept: series{number: number, name: name, dots: true}}
	for i, step := range found.Steps {
		x, y := float64(i+1), float64(step.Rate)
		w.line.x, w.line.y = append(w.line.x, x), append(w.line.y, y)
		if step.Kept {
			w.kept.x, w.kept.y = append(w.kept.x, x, math.NaN()), append(w.kept.y, y, math.NaN()) // dots alone, no line
		} else {
			w.missed = append(w.missed, i)
		}
	}
	return w
}

func walkChart(server string, walks []walk, size frame, x, y scale) *Chart {
	var lines []series
	for _, w := range walks {
		lines = append(lines, w.line, w.kept)
	}
	chart := newChart(size, "", x, y, lines...)
	chart.Caption = server
	for _, w := range walks {
		for _, at := range w.missed {
			chart.Crosses = append(chart.Crosses, Cross{w.line.number, Dot{chart.px(x, w.line.x[at]), chart.py(y, w.line.y[at])}})
		}
	}
	return chart
}

// foundBy the search of a row; nil where its steps are not known.
func (b *builder) foundBy(row *results.Row) *v1beta1.Capacity {
	m := b.run.Measurements[row.Measurement]
	if m == nil || m.Status.Result == nil {
		return nil
	}
	return m.Status.Result.Capacity
}

// searched reports whether a load is a search for a capacity.
func searched(groups []compare.Group) bool {
	return slices.ContainsFunc(groups, func(g compare.Group) bool {
		return slices.ContainsFunc(g.Rows, func(row *results.Row) bool { return row.Objective != "" })
	})
}
