package report

import (
	"fmt"
	"math"
	"strings"
)

// Size of a chart's drawing in its own units, and of the space around its plot. Text is 12 units high, so that a chart as
// wide as a phone is still readable.
const (
	chartWidth   = 440
	chartHeight  = 290
	marginLeft   = 48
	marginRight  = 14
	marginTop    = 12
	marginBottom = 40
)

// Chart is lines over two axes, placed and ready to draw.
type Chart struct {
	Title          string
	XLabel, YLabel string
	Width, Height  int
	Plot           Box
	XTicks, YTicks []PlacedTick
	Lines          []Line
	// Labels put names beside places of the plot.
	Labels []Label
}

// Box of the plot.
type Box struct{ Left, Top, Right, Bottom float64 }

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
	// Faint lines are one of many of their series.
	Faint bool
	// Dots mark single points.
	Dots []Dot
}

// Dot is a single point.
type Dot struct{ X, Y float64 }

// Label is text in the plot.
type Label struct {
	X, Y float64
	Text string
}

// series is a line before it is placed. NaN breaks it.
type series struct {
	number int
	name   string
	x, y   []float64
	faint  bool
	dots   bool
}

func newChart(title, xLabel, yLabel string, x, y scale, lines []series) *Chart {
	c := &Chart{
		Title: title, XLabel: xLabel, YLabel: yLabel, Width: chartWidth, Height: chartHeight,
		Plot: Box{marginLeft, marginTop, chartWidth - marginRight, chartHeight - marginBottom},
	}
	px := func(value float64) float64 { return c.Plot.Left + clamp(x.place(value))*(c.Plot.Right-c.Plot.Left) }
	py := func(value float64) float64 { return c.Plot.Bottom - clamp(y.place(value))*(c.Plot.Bottom-c.Plot.Top) }
	xTicks := x.ticks()
	for i, t := range xTicks {
		anchor := "middle"
		if i == len(xTicks)-1 && px(t.value) > c.Plot.Right-12 {
			anchor = "end"
		}
		c.XTicks = append(c.XTicks, PlacedTick{px(t.value), t.label, anchor})
	}
	for _, t := range y.ticks() {
		c.YTicks = append(c.YTicks, PlacedTick{py(t.value), t.label, "end"})
	}
	for _, s := range lines {
		line := Line{Series: s.number, Name: s.name, Faint: s.faint}
		var path strings.Builder
		pen := "M"
		for i := range s.x {
			if math.IsNaN(s.y[i]) || math.IsNaN(s.x[i]) {
				pen = "M"
				continue
			}
			fmt.Fprintf(&path, "%s%.1f %.1f", pen, px(s.x[i]), py(s.y[i]))
			pen = "L"
			if s.dots {
				line.Dots = append(line.Dots, Dot{px(s.x[i]), py(s.y[i])})
			}
		}
		line.Path = path.String()
		c.Lines = append(c.Lines, line)
	}
	return c
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
