package compare

import "slices"

// Comparison of a server with its baseline under one load, by one metric.
type Comparison struct {
	Baseline, Server string
	Cell             Cell
	Metric           Metric
	Estimate
	// BaselineValue and Value are geometric means over the rounds compared.
	BaselineValue, Value float64
	Verdict              Verdict
	// Reason for a verdict that is unresolved, or one that is not to be trusted.
	Reason string
	// Withheld says that the interval alone would have given a verdict, and something else forbids it: Reason says what.
	Withheld bool
	// AA marks a server that is the baseline under a second name: its ratio is noise.
	AA bool
	// Published ratio of the two; NaN where none was published.
	Published float64
}

// estimate fills the comparison in; false when no round has both.
func (c *Comparison) estimate(bases, values map[int]float64, paired bool) bool {
	x, y := all(bases), all(values)
	if paired {
		x, y = pairs(bases, values)
	}
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	if paired {
		c.Estimate = Paired(x, y)
	} else {
		c.Estimate = Unpaired(x, y)
	}
	c.BaselineValue, c.Value = geometricMean(x), geometricMean(y)
	c.Verdict, c.Reason = judge(c.Estimate, c.Metric.HigherIsBetter)
	return true
}

// pairs are the figures of the rounds that both have, in order of the rounds.
func pairs(bases, values map[int]float64) (x, y []float64) {
	for _, round := range rounds(bases) {
		if value, both := values[round]; both {
			x, y = append(x, bases[round]), append(y, value)
		}
	}
	return x, y
}

func all(values map[int]float64) []float64 {
	var out []float64
	for _, round := range rounds(values) {
		out = append(out, values[round])
	}
	return out
}

func rounds(values map[int]float64) []int {
	var out []int
	for round := range values {
		out = append(out, round)
	}
	slices.Sort(out)
	return out
}
