package report

import (
	"fmt"
	"math"
	"strings"
)

// frame is the size of a chart's drawing in its own units. Text is 12 units high, so that a wide one is still readable on a phone,
// and a small one wherever it is drawn.
type frame struct{ width, height, bottom int }

var (
	wide  = frame{440, 290, 40}
	small = frame{280, 180, 24}
)

// Space around a plot.
const (
	marginLeft  = 48
	marginRight = 14
	marginTop   = 12
)

// Chart is lines over two axes, placed and ready to draw.
type Chart struct {
	// Caption distinguishes the chart from others of its figure; empty for the only one.
	Caption        string
	XLabel         string
	Width, Height  int
	Plot           Box
	XTicks, YTicks []PlacedTick
	// Faults are stretches of time in which a node of the store was away.
	Faults []Stretch
	Bands  []Band
	Lines  []Line
	// Crosses mark what was tried and is no point of a line.
	Crosses []Cross
}

// Box of the plot.
type Box struct{ Left, Top, Right, Bottom float64 }

// Stretch of the horizontal axis, from the plot's bottom to its top.
type Stretch struct{ Left, Right float64 }

// PlacedTick is a tick with its place in the drawing.
type PlacedTick struct {
	At    float64
	Label string
	// Anchor of the text: start, middle, end.
	Anchor string
}

// Line of one series.
type Line struct {
	Series int
	Name   string
	Path   string
	// Faint lines are there to join dots. Context is there to compare with. Thin lines are what another is the mean of.
	Faint, Context, Thin bool
	// Dots mark single points.
	Dots []Dot
}

// Dot is a single point.
type Dot struct{ X, Y float64 }

// Cross is a mark of a series.
type Cross struct {
	Series int
	Dot
}

// Band is an area between two lines.
type Band struct {
	Series int
	Path   string
}

// series is a line before it is placed. NaN breaks it.
type series struct {
	number int
	name   string
	x, y   []float64
	faint  bool
	thin   bool
	dots   bool
	// context is grey and behind.
	context bool
}

func newChart(size frame, xLabel string, x, y scale, lines ...series) *Chart {
	c := &Chart{
		XLabel: xLabel, Width: size.width, Height: size.height,
		Plot: Box{marginLeft, marginTop, float64(size.width - marginRight), float64(size.height - size.bottom)},
	}
	xTicks := x.ticks()
	for i, t := range thinned(xTicks, size) {
		anchor := "middle"
		if i == len(xTicks)-1 && c.px(x, t.value) > c.Plot.Right-12 {
			anchor = "end"
		}
		c.XTicks = append(c.XTicks, PlacedTick{c.px(x, t.value), t.label, anchor})
	}
	for _, t := range y.ticks() {
		c.YTicks = append(c.YTicks, PlacedTick{c.py(y, t.value), t.label, "end"})
	}
	for _, s := range lines {
		line := Line{Series: s.number, Name: s.name, Faint: s.faint, Context: s.context, Thin: s.thin}
		var path strings.Builder
		pen := "M"
		for i := range s.x {
			if math.IsNaN(s.y[i]) || math.IsNaN(s.x[i]) {
				pen = "M"
				continue
			}
			fmt.Fprintf(&path, "%s%.1f %.1f", pen, c.px(x, s.x[i]), c.py(y, s.y[i]))
			pen = "L"
			if s.dots {
				line.Dots = append(line.Dots, Dot{c.px(x, s.x[i]), c.py(y, s.y[i])})
			}
		}
		line.Path = path.String()
		c.Lines = append(c.Lines, line)
	}
	return c
}

// thinned leaves out every other tick where a small chart has no room for all labels.
func thinned(ticks []tick, size frame) []tick {
	if size != small || len(ticks) <= 4 {
		return ticks
	}
	var some []tick
	for i := 0; i < len(ticks); i += 2 {
		some = append(some, ticks[i])
	}
	return some
}

func (c *Chart) px(x scale, value float64) float64 {
	return c.Plot.Left + clamp(x.place(value))*(c.Plot.Right-c.Plot.Left)
}

func (c *Chart) py(y scale, value float64) float64 {
	return c.Plot.Bottom - clamp(y.place(value))*(c.Plot.Bottom-c.Plot.Top)
}

// addBand draws the area between the lowest and the highest of a band: there along the one, back along the other.
func (c *Chart) addBand(series int, b band, x, y scale) {
	var there, back strings.Builder
	pen := "M"
	for i := range b.x {
		fmt.Fprintf(&there, "%s%.1f %.1f", pen, c.px(x, b.x[i]), c.py(y, b.low[i]))
		pen = "L"
	}
	for i := len(b.x) - 1; i >= 0; i-- {
		fmt.Fprintf(&back, "L%.1f %.1f", c.px(x, b.x[i]), c.py(y, b.high[i]))
	}
	if len(b.x) > 1 {
		c.Bands = append(c.Bands, Band{series, there.String() + back.String() + "Z"})
	}
}

// addFault draws a stretch of time.
func (c *Chart) addFault(s stretch, x scale) {
	c.Faults = append(c.Faults, Stretch{c.px(x, s.from), c.px(x, s.to)})
}

func clamp(share float64) float64 { return min(max(share, 0), 1) }

func most(lines []series) float64 {
	highest := 0.0
	for _, s := range lines {
		for _, y := range s.y {
			if !math.IsNaN(y) {
				highest = max(highest, y)
			}
		}
	}
	return highest
}

func least(lines []series) float64 {
	lowest := math.Inf(1)
	for _, s := range lines {
		for _, y := range s.y {
			if y > 0 {
				lowest = min(lowest, y)
			}
		}
	}
	return lowest
}

func longest(lines []series) float64 {
	end := 0.0
	for _, s := range lines {
		for _, x := range s.x {
			end = max(end, x)
		}
	}
	return end
}
