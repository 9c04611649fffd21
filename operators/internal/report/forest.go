package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// Forest shows ratios to the baseline, or differences from it, with their intervals, a line for each server.
type Forest struct {
	Title, Better string
	// Of is what it shows: ratios or differences.
	Of            string
	Width, Height int
	// One is the place of what is equal; Ticks those of the axis.
	One   float64
	Ticks []PlacedTick
	Rows  []ForestRow
	// NoiseLeft and NoiseWidth shade what the A/A arm shows; the width is 0 without one.
	NoiseLeft, NoiseWidth float64
	Bottom                float64
}

// ForestRow is one ratio.
type ForestRow struct {
	Series                int
	Server, Text, Verdict string
	Y, X, Left, Right     float64
	// Known says that there is an interval.
	Known bool
}

const (
	forestLabel  = 118
	forestFigure = 132
	forestLine   = 26
	forestTop    = 10
	forestBottom = 40
)

// newForest places comparisons of one load by one metric; nil when there are none.
func newForest(title, better string, comparisons []compare.Comparison, seriesOf func(server string) int) *Forest {
	comparisons = slices.DeleteFunc(slices.Clone(comparisons), func(c compare.Comparison) bool { return math.IsNaN(c.Ratio) }) // withheld
	if len(comparisons) == 0 {
		return nil
	}
	reach, scale := forestReach(comparisons), comparisons[0].Estimate
	left, right := float64(forestLabel), float64(wide.width-forestFigure)
	place := func(figure float64) float64 {
		return left + clamp((scale.Scaled(figure)+reach)/(2*reach))*(right-left)
	}
	f := &Forest{Title: title, Better: better, Width: wide.width, Height: forestTop + forestBottom + forestLine*len(comparisons), One: place(scale.Equal()), Of: "Ratios"}
	f.Bottom = float64(f.Height - forestBottom)
	ticks := ratioTicks
	if scale.Difference {
		f.Of, ticks = "Differences", differenceTicks
	}
	for _, figure := range ticks(reach) {
		f.Ticks = append(f.Ticks, PlacedTick{place(figure), strconv.FormatFloat(figure, 'f', -1, 64), "middle"})
	}
	for i, c := range comparisons {
		row := ForestRow{
			Series: seriesOf(c.Server), Server: c.Server, Verdict: c.Statement(), Known: c.Known(),
			Y: forestTop + forestLine*(float64(i)+0.5), X: place(c.Ratio),
			Text: forestText(&c, "%.2f", c.Ratio),
		}
		if c.Known() {
			row.Left, row.Right = place(c.Low), place(c.High)
			row.Text = forestText(&c, "%.2f [%.2f, %.2f]", c.Ratio, c.Low, c.High)
		}
		if c.AA {
			row.Verdict = "A/A"
			if c.Known() {
				low, high := ratio.Noise{Server: c.Server, Estimate: c.Estimate}.Band()
				f.NoiseLeft, f.NoiseWidth = place(low), place(high)-place(low)
			}
		}
		f.Rows = append(f.Rows, row)
	}
	return f
}

// An axis goes as far as ratios do, and as the ends of intervals that do not make all others one dot.
const (
	furthestRatio = 1000
	furthestEnd   = 50
)

// forestText writes figures of a comparison: differences, which need more room, with one digit less.
func forestText(c *compare.Comparison, format string, figures ...any) string {
	if c.Difference {
		format = strings.ReplaceAll(format, "%.2f", "%+.1f")
	}
	return fmt.Sprintf(format, figures...)
}

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
