package report

import (
	"math"
	"slices"
)

// stretched spans the values, with some space above and below: a ratio of 0.95 is far from 1 although both are far from 0.
type stretched struct{ low, high, step float64 }

// leastStretch is the least share of a value that an axis spans: noise of a thousandth should not look like a change.
const leastStretch = 0.04

func newStretched(values []float64) stretched {
	if len(values) == 0 {
		return stretched{0, 1, 1}
	}
	low, high := slices.Min(values), slices.Max(values)
	span := max((high-low)*1.2, math.Abs(low+high)/2*leastStretch, 1e-9)
	middle := (low + high) / 2
	return stretched{middle - span/2, middle + span/2, roundStep(span / 4)}
}

func (s stretched) place(value float64) float64 { return (value - s.low) / (s.high - s.low) }

func (s stretched) ticks() []tick {
	var out []tick
	for i := math.Ceil(s.low/s.step - 1e-9); i*s.step <= s.high; i++ {
		out = append(out, tick{i * s.step, short(math.Round(i*s.step*1e9) / 1e9)})
	}
	return out
}

// order is an axis of runs in the order of time, at equal distances.
type order struct{ labels []string }

// mostDates is how many labels of an axis of runs find room side by side.
const mostDates = 4

func (o order) place(value float64) float64 {
	return (value + 0.5) / float64(max(len(o.labels), 1))
}

func (o order) ticks() []tick {
	var out []tick
	every := max(1, (len(o.labels)+mostDates-1)/mostDates)
	for i := 0; i < len(o.labels); i += every {
		out = append(out, tick{float64(i), o.labels[i]})
	}
	return out
}
