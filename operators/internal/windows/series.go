package windows

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// series holds a load's windows under one metric, each as its distance from its arm's mean.
type series struct {
	rounds [][]point
	// slots is the number of windows of a block, in which every arm has one
	slots int
	rates map[string]float64
}

// point is a window, with its arm, its weight (the metric's denominator) and its level: the relative distance of its figure from its arm's
// mean.
type point struct {
	arm           string
	weight, level float64
	covariates    []float64
}

// seriesOf returns the windows that have the metric; false if an arm of a pair has none.
func seriesOf(load Load, metric Metric) (series, bool) {
	over, under := map[string]float64{}, map[string]float64{}
	for _, round := range load.Rounds {
		for _, w := range round {
			if o, u, ok := metric.of(w); ok {
				over[w.Arm] += o
				under[w.Arm] += u
			}
		}
	}
	s := series{rates: map[string]float64{}}
	for arm := range over {
		s.rates[arm] = over[arm] / under[arm]
	}
	s.slots = len(s.rates)
	for _, round := range load.Rounds {
		var points []point
		for _, w := range round {
			if o, u, ok := metric.of(w); ok {
				points = append(points, point{arm: w.Arm, weight: u, level: o/u/s.rates[w.Arm] - 1})
			}
		}
		s.rounds = append(s.rounds, points)
	}
	for _, pair := range load.Pairs {
		if s.rates[pair.Arm] == 0 || s.rates[pair.Base] == 0 {
			return series{}, false
		}
	}
	return s, len(load.Pairs) > 0
}

// blocks splits a round into blocks with one window of each arm.
func (s series) blocks(round []point) [][]point {
	var out [][]point
	for len(round) >= s.slots {
		out = append(out, round[:s.slots])
		round = round[s.slots:]
	}
	if len(round) > 0 {
		out = append(out, round)
	}
	return out
}

// logRatio returns the logarithm of the ratio of two arms over all rounds.
func (s series) logRatio(p Pair) float64 { return math.Log(s.rates[p.Arm] / s.rates[p.Base]) }

// weights returns the weights of the pair's arms over all rounds.
func (s series) weights(p Pair) (arm, base float64) {
	for _, round := range s.rounds {
		for _, w := range round {
			switch w.arm {
			case p.Arm:
				arm += w.weight
			case p.Base:
				base += w.weight
			}
		}
	}
	return arm, base
}

// difference returns the difference between the mean levels of the pair's windows among the points: their first-order effect on the
// logarithm of the ratio. NaN if an arm has no window.
func difference(points []point, p Pair) float64 {
	var levels, weights [2][]float64
	for _, w := range points {
		switch w.arm {
		case p.Arm:
			levels[0], weights[0] = append(levels[0], w.level), append(weights[0], w.weight)
		case p.Base:
			levels[1], weights[1] = append(levels[1], w.level), append(weights[1], w.weight)
		}
	}
	if len(levels[0]) == 0 || len(levels[1]) == 0 {
		return math.NaN()
	}
	return stat.Mean(levels[0], weights[0]) - stat.Mean(levels[1], weights[1])
}
