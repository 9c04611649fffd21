package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/internal/answer"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// Forest shows the effects of servers with their intervals, in groups: a load with a metric each. It is placed twice, for a wide page and for a
// phone.
type Forest struct {
	Title string
	// Layouts of the same rows: the wide one, then the narrow one.
	Layouts [2]ForestLayout
	// Differences reports whether some of them are no ratios, Noise whether an A/A arm is shaded.
	Differences, Noise bool
}

// ForestLayout is a forest with its places.
type ForestLayout struct {
	// Class is desk or phone.
	Class         string
	Width, Height float64
	Groups        []ForestGroup
}

// ForestGroup is the servers under one load, by one metric.
type ForestGroup struct {
	Title, Note      string
	TitleY, NoteX    float64
	NoteY            float64
	Top, Bottom, One float64
	// Ticks of the axis; they have labels below the last group of a scale.
	Ticks    []PlacedTick
	Labelled bool
	Rows     []ForestRow
	// NoiseLeft and NoiseWidth shade what the A/A arms show; the width is 0 without one.
	NoiseLeft, NoiseWidth float64
}

// ForestRow is one comparison.
type ForestRow struct {
	Server, Text, Verdict, Class string
	// TextY is the base line of the texts, Y the middle of the whisker; the rest are places along the axis.
	TextY, Y, X, Left, Right float64
	ServerX, TextX, VerdictX float64
	// Drawn reports whether there is a figure, Known whether there is an interval.
	Drawn, Known bool
	// EndsText reports whether the figures end at their place, as they do on a phone.
	EndsText bool
}

// frame of a forest: where its parts are, from left to right and from a row's top.
type forestFrame struct {
	class                                string
	width, left, right, textX, verdictX  float64
	header, row, textY, lineY, edge, end float64
}

var forestFrames = [2]forestFrame{
	{class: "desk", width: 900, left: 196, right: 556, textX: 576, verdictX: 752, header: 34, row: 24, textY: 16, lineY: 12, edge: 8, end: 26},
	{class: "phone", width: 360, left: 12, right: 348, textX: 352, header: 46, row: 36, textY: 14, lineY: 25, edge: 8, end: 26},
}

// effects under one load, by one metric, for a forest.
type effects struct {
	title, note string
	of          []compare.Comparison
}

// newForest places groups of effects; nil when there is none.
func newForest(title string, groups []effects) *Forest {
	groups = slices.DeleteFunc(slices.Clone(groups), func(g effects) bool { return len(g.of) == 0 })
	if len(groups) == 0 {
		return nil
	}
	f := &Forest{Title: title}
	for i, frame := range forestFrames {
		f.Layouts[i] = frame.place(groups)
	}
	for _, g := range f.Layouts[0].Groups {
		f.Noise = f.Noise || g.NoiseWidth > 0
	}
	for _, g := range groups {
		f.Differences = f.Differences || g.of[0].Difference
	}
	return f
}

// reachOf all groups of a scale: those of ratios share an axis, and so do those of differences.
func reachOf(groups []effects, difference bool) float64 {
	var of []compare.Comparison
	for _, g := range groups {
		if g.of[0].Difference == difference {
			of = append(of, g.of...)
		}
	}
	return forestReach(of)
}

func (frame forestFrame) place(groups []effects) ForestLayout {
	layout := ForestLayout{Class: frame.class, Width: frame.width}
	y := frame.edge
	for i, g := range groups {
		difference := g.of[0].Difference
		labelled := i == len(groups)-1 || groups[i+1].of[0].Difference != difference
		group := frame.group(g, y, reachOf(groups, difference))
		group.Labelled = labelled
		layout.Groups = append(layout.Groups, group)
		if y = group.Bottom + frame.edge; labelled {
			y += frame.end
		}
	}
	layout.Height = y
	return layout
}

func (frame forestFrame) group(of effects, y, reach float64) ForestGroup {
	scale := of.of[0].Estimate
	place := func(figure float64) float64 {
		return frame.left + clamp((scale.Scaled(figure)+reach)/(2*reach))*(frame.right-frame.left)
	}
	g := ForestGroup{Title: of.title, Note: of.note, TitleY: y + 16, NoteX: frame.left, NoteY: y + 16, Top: y + frame.header - 6, One: place(scale.Equal())}
	if frame.class == "phone" {
		g.NoteX, g.NoteY = 2, y+33
	}
	ticks := ratioTicks
	if scale.Difference {
		ticks = differenceTicks
	}
	for _, figure := range ticks(reach) {
		g.Ticks = append(g.Ticks, PlacedTick{place(figure), strconv.FormatFloat(figure, 'f', -1, 64), "middle"})
	}
	for i := range of.of {
		c := &of.of[i]
		row := frame.effect(c, y+frame.header+frame.row*float64(i), place)
		if c.AA && c.Known() {
			low, high := ratio.Noise{Server: c.Server, Estimate: c.Estimate}.Band()
			if width := place(high) - place(low); width > g.NoiseWidth { // of several arms, the noisiest
				g.NoiseLeft, g.NoiseWidth = place(low), width
			}
		}
		g.Rows = append(g.Rows, row)
	}
	g.Bottom = y + frame.header + frame.row*float64(len(of.of))
	return g
}

func (frame forestFrame) effect(c *compare.Comparison, top float64, place func(float64) float64) ForestRow {
	row := ForestRow{
		Server: c.Server, Text: answer.Effect(c), Class: classes[answer.MarkOf(c)], Known: c.Known(), Drawn: !math.IsNaN(c.Ratio),
		TextY: top + frame.textY, Y: top + frame.lineY, ServerX: 2, TextX: frame.textX, VerdictX: frame.verdictX,
	}
	switch {
	case frame.class == "phone":
		row.EndsText = true
		if row.Text = strings.TrimSpace(row.Text + " " + answer.MarkOf(c).Sign()); c.AA {
			row.Server += " (A/A)"
		}
	case c.Primary || c.AA: // the others describe
		row.Verdict = answer.Verdict(c)
	}
	if row.Drawn {
		row.X = place(c.Ratio)
	}
	if row.Known {
		row.Left, row.Right = place(c.Low), place(c.High)
	}
	return row
}

// classes of verdicts, for colours.
var classes = map[answer.Mark]string{answer.Better: "better", answer.Worse: "worse", answer.Equivalent: "equal", answer.Unresolved: "open"}

// An axis goes as far as ratios do, and as the ends of intervals that do not make all others one dot.
const (
	furthestRatio = 1000
	furthestEnd   = 50
)

// leastReach of an axis of differences, in their unit.
const leastReach = 1

// forestReach is the logarithm of the ratio at the axis' end; of differences that end itself, and none is too far.
func forestReach(comparisons []compare.Comparison) float64 {
	reach := math.Log(1.1)
	if comparisons[0].Difference {
		reach = leastReach
		for _, c := range comparisons {
			for _, figure := range []float64{c.Ratio, c.Low, c.High} {
				if !math.IsNaN(figure) {
					reach = max(reach, math.Abs(figure))
				}
			}
		}
		return reach * 1.08
	}
	include := func(ratio, furthest float64) {
		if !math.IsNaN(ratio) && !math.IsInf(ratio, 0) && ratio > 0 {
			reach = max(reach, min(math.Abs(math.Log(ratio)), math.Log(furthest)))
		}
	}
	for _, c := range comparisons {
		include(c.Ratio, furthestRatio)
		include(c.Low, furthestEnd)
		include(c.High, furthestEnd)
	}
	return reach * 1.08
}

// differenceTicks are 0 and one round difference on each side of it.
func differenceTicks(reach float64) []float64 {
	outer := roundStep(reach / 2.5)
	return []float64{-outer, 0, outer}
}

// ratioTicks are 1 and one round ratio on each side of it, within the reach of its logarithm.
func ratioTicks(reach float64) []float64 {
	outer := 1.05
	end := math.Exp(reach)
	for _, candidate := range []float64{1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000} {
		if candidate <= end {
			outer = candidate
		}
	}
	return []float64{math.Round(1000/outer) / 1000, 1, outer}
}
