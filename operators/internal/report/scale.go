package report

import (
	"math"
	"strconv"
)

// scale maps values to places on an axis, 0 to 1, and knows where its ticks are.
type scale interface {
	place(value float64) float64
	ticks() []tick
}

type tick struct {
	value float64
	label string
}

// linear starts at zero and ends at a round number at or above most.
type linear struct{ step, end float64 }

func newLinear(most float64) linear {
	step := roundStep(most / 4)
	return linear{step, max(step, math.Ceil(most/step-1e-9)*step)}
}

// newExtent ends where the values do: an axis of time need not be round.
func newExtent(most float64) linear {
	if most <= 0 {
		return newLinear(most)
	}
	return linear{roundStep(most / 4), most}
}

// roundStep is the next of 1, 2, 2.5, 5 times a power of ten at or above the value.
func roundStep(value float64) float64 {
	if value <= 0 || math.IsNaN(value) || math.IsInf(value, 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(value)))
	for _, factor := range []float64{1, 2, 2.5, 5, 10} {
		if factor*power >= value*(1-1e-9) {
			return factor * power
		}
	}
	return 10 * power
}

func (l linear) place(value float64) float64 { return value / l.end }

func (l linear) ticks() []tick {
	var out []tick
	for i := 0; float64(i)*l.step <= l.end*(1+1e-9); i++ {
		out = append(out, tick{float64(i) * l.step, short(float64(i) * l.step)})
	}
	return out
}

// logarithmic spans the 1-2-5 steps around least and most.
type logarithmic struct{ low, high float64 }

func newLogarithmic(least, most float64) logarithmic {
	if least <= 0 || math.IsNaN(least) || most < least {
		return logarithmic{1, 10}
	}
	low, high := stepBelow(least), stepAbove(most)
	if high <= low {
		high = stepAbove(low * 1.5)
	}
	return logarithmic{low, high}
}

func steps(around float64) []float64 {
	power := math.Pow(10, math.Floor(math.Log10(around)))
	return []float64{power / 2, power, 2 * power, 5 * power, 10 * power, 20 * power}
}

func stepBelow(value float64) float64 {
	best := value
	for _, step := range steps(value) {
		if step <= value*(1+1e-9) {
			best = step
		}
	}
	return best
}

func stepAbove(value float64) float64 {
	for _, step := range steps(value) {
		if step >= value*(1-1e-9) {
			return step
		}
	}
	return value
}

func (l logarithmic) place(value float64) float64 {
	return math.Log(value/l.low) / math.Log(l.high/l.low)
}

func (l logarithmic) ticks() []tick {
	var out []tick
	every := 1
	if math.Log10(l.high/l.low) > 3 { // tens alone, or they would overlap
		every = 3
	}
	for power := math.Pow(10, math.Floor(math.Log10(l.low))-1); power <= l.high; power *= 10 {
		for i, factor := range []float64{1, 2, 5} {
			value := factor * power
			if i%every == 0 && value >= l.low*(1-1e-9) && value <= l.high*(1+1e-9) {
				out = append(out, tick{value, short(value)})
			}
		}
	}
	return out
}

// counts is a logarithmic axis whose ticks are the counts that were tried.
type counts struct {
	logarithmic
	tried []float64
}

// mostTicks is how many labels find room side by side.
const mostTicks = 12

// newCounts is for positive counts, ascending.
func newCounts(tried []float64) counts {
	if len(tried) < 2 || tried[0] <= 0 {
		return counts{newLogarithmic(1, 10), tried}
	}
	return counts{logarithmic{tried[0], tried[len(tried)-1]}, tried}
}

func (c counts) ticks() []tick {
	var out []tick
	every := (len(c.tried) + mostTicks - 1) / mostTicks
	for i := 0; i < len(c.tried); i += every {
		out = append(out, tick{c.tried[i], short(c.tried[i])})
	}
	return out
}

// percentiles is the axis of latency spectra: equal distances for 90, 99, 99.9, 99.99 and 99.999 percent.
type percentiles struct{}

// lastPercentile is where the axis ends.
const lastPercentile = 99.999

func (percentiles) place(percentile float64) float64 {
	rest := max(100-percentile, 100-lastPercentile)
	return (2 - math.Log10(rest)) / (2 - math.Log10(100-lastPercentile))
}

func (percentiles) ticks() []tick {
	return []tick{{0, "0"}, {50, "50"}, {90, "90"}, {99, "99"}, {99.9, "99.9"}, {99.99, "99.99"}, {lastPercentile, "99.999"}}
}

// short writes an axis label: 15000 as 15k.
func short(value float64) string {
	switch {
	case math.Abs(value) >= 1e6:
		return strconv.FormatFloat(value/1e6, 'g', 4, 64) + "M"
	case math.Abs(value) >= 1e4:
		return strconv.FormatFloat(value/1e3, 'g', 4, 64) + "k"
	}
	return strconv.FormatFloat(value, 'g', 4, 64)
}
