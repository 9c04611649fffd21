package report

import (
	"fmt"
	"math"
	"strconv"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// Forest shows ratios to the baseline with their intervals, a line for each server.
type Forest struct {
	Title, Better string
	Width, Height int
	// One is the place of the ratio 1; Ticks those of the axis.
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
	forestText   = 132
	forestLine   = 26
	forestTop    = 10
	forestBottom = 40
)

// newForest places comparisons of one load by one metric; nil when there are none.
func newForest(title, better string, comparisons []compare.Comparison, seriesOf func(server string) int) *Forest {
	if len(comparisons) == 0 {
		return nil
	}
	reach := forestReach(comparisons)
	left, right := float64(forestLabel), float64(wide.width-forestText)
	place := func(ratio float64) float64 {
		return left + clamp((math.Log(ratio)+reach)/(2*reach))*(right-left)
	}
	f := &Forest{Title: title, Better: better, Width: wide.width, Height: forestTop + forestBottom + forestLine*len(comparisons), One: place(1)}
	f.Bottom = float64(f.Height - forestBottom)
	for _, ratio := range ratioTicks(math.Exp(reach)) {
		f.Ticks = append(f.Ticks, PlacedTick{place(ratio), strconv.FormatFloat(ratio, 'f', -1, 64), "middle"})
	}
	for i, c := range comparisons {
		row := ForestRow{
			Series: seriesOf(c.Server), Server: c.Server, Verdict: c.Statement(), Known: c.Known(),
			Y: forestTop + forestLine*(float64(i)+0.5), X: place(c.Ratio),
			Text: compare.Decimals(c.Ratio, 2),
		}
		if c.Known() {
			row.Left, row.Right = place(c.Low), place(c.High)
			row.Text = fmt.Sprintf("%.2f [%.2f, %.2f]", c.Ratio, c.Low, c.High)
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

// forestReach is the logarithm of the ratio at the axis' end.
func forestReach(comparisons []compare.Comparison) float64 {
	reach := math.Log(1.1)
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

// ratioTicks are 1 and one round ratio on each side of it, within 1/reach to reach.
func ratioTicks(reach float64) []float64 {
	outer := 1.05
	for _, candidate := range []float64{1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000} {
		if candidate <= reach {
			outer = candidate
		}
	}
	return []float64{math.Round(1000/outer) / 1000, 1, outer}
}
