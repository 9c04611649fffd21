package simulate

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// Arm is a server that an experiment compares with its baseline.
type Arm struct {
	// Truth is the true ratio or, with the method ratio.Difference, the true difference.
	Truth float64
	// AA marks the arm that is known to be the baseline.
	AA bool
}

// Plan describes the experiments.
type Plan struct {
	Model  Model
	Arms   []Arm
	Method ratio.Method
	// Windows of each arm in a round, one in each block; 0 for one figure a round.
	Windows int
	// Rounds is the number on each of Installations. Between is the standard deviation of an installation's effect on the logarithm of each
	// arm's figure.
	Rounds, Installations int
	Between               float64
	// Stop is the rule that may end the rounds early; nil for none. A round takes a minute.
	Stop *precision.Rule
	// Margin of equivalence.
	Margin ratio.Distance
}

// equal is the truth of an arm that equals the baseline.
func (p Plan) equal() float64 {
	if p.Method == ratio.Difference {
		return 0
	}
	return 1
}

// figure returns what is measured of a server: on the logarithmic scale, or in seconds. Where the model has a mean, a server loses more
// seconds in proportion to what the round costs the baseline, so that its figures are wider and more skewed.
func (p Plan) figure(noise, truth float64) float64 {
	switch {
	case p.Method != ratio.Difference:
		return noise + math.Log(truth)
	case p.Model.Mean > 0:
		return noise * (1 + truth/p.Model.Mean)
	}
	return noise + truth
}

// experiment holds the log ratios, or the differences, of an experiment, by arm and installation.
type experiment struct {
	plan Plan
	logs [][][]float64
	// rounds is the number of rounds run.
	rounds int
}

// run measures all arms in a new random order each round, until the rounds are over or the rule stops them.
func run(plan Plan, rng *rand.Rand) experiment {
	x := experiment{plan: plan, logs: make([][][]float64, len(plan.Arms))}
	machine := plan.Model.New(rng)
	for range max(plan.Installations, 1) {
		own := make([]float64, len(plan.Arms)+1)
		for i := range own {
			own[i] = plan.Between * rng.NormFloat64()
		}
		for i := range x.logs {
			x.logs[i] = append(x.logs[i], nil)
		}
		for range plan.Rounds {
			x.round(machine, own, rng)
			if plan.Stop != nil && precision.Decide(x.samples(), *plan.Stop, nil, time.Duration(x.rounds)*time.Minute).Stop() {
				return x
			}
		}
	}
	return x
}

// round measures all arms and the baseline, which is the last index.
func (x *experiment) round(machine Machine, own []float64, rng *rand.Rand) {
	x.rounds++
	if x.plan.Windows > 0 {
		x.blocks(machine, own, rng)
		return
	}
	figures := make([]float64, len(own))
	for _, i := range rng.Perm(len(own)) {
		noise, lost := machine()
		truth := x.plan.equal()
		if i < len(x.plan.Arms) {
			truth = x.plan.Arms[i].Truth
		}
		figures[i] = x.plan.figure(own[i]+noise, truth)
		if lost {
			figures[i] = math.NaN()
		}
	}
	for i := range x.plan.Arms {
		if difference := figures[i] - figures[len(x.plan.Arms)]; !math.IsNaN(difference) {
			last := len(x.logs[i]) - 1
			x.logs[i][last] = append(x.logs[i][last], difference)
		}
	}
}

// blocks measures a round in which every arm has one window in each block, in random order. The round counts as its pieces. A lost window
// costs its arm the whole round, because measured windows are then not of the same blocks.
func (x *experiment) blocks(machine Machine, own []float64, rng *rand.Rand) {
	windows := x.plan.Windows
	rates := make([][]float64, len(own))
	lost := make([]bool, len(own))
	for range windows {
		for _, i := range rng.Perm(len(own)) {
			noise, gone := machine()
			truth := 1.0
			if i < len(x.plan.Arms) {
				truth = x.plan.Arms[i].Truth
			}
			rates[i], lost[i] = append(rates[i], truth*math.Exp(own[i]+noise)), lost[i] || gone
		}
	}
	base, pieces := len(x.plan.Arms), ratio.Pieces(windows)
	for i := range x.plan.Arms {
		for piece := range pieces {
			from, to := ratio.Piece(piece, pieces, windows)
			if !lost[i] && !lost[base] {
				last := len(x.logs[i]) - 1
				x.logs[i][last] = append(x.logs[i][last], math.Log(floats.Sum(rates[i][from:to])/floats.Sum(rates[base][from:to])))
			}
		}
	}
}

func (x *experiment) samples() []compare.Sample {
	samples := make([]compare.Sample, len(x.plan.Arms))
	for i, arm := range x.plan.Arms {
		samples[i] = compare.Sample{Logs: x.logs[i], Method: x.plan.Method, AA: arm.AA}
		if x.plan.Windows > 0 {
			samples[i].Rounds = len(slices.Concat(x.logs[i]...)) / ratio.Pieces(x.plan.Windows)
		}
	}
	return samples
}

// conclusion holds each arm's corrected estimate and verdict.
type conclusion struct {
	estimates []ratio.Estimate
	findings  []ratio.Finding
}

// conclude applies the steps of a comparison to its primary metric.
func (x *experiment) conclude() conclusion {
	c := conclusion{estimates: make([]ratio.Estimate, len(x.logs)), findings: make([]ratio.Finding, len(x.logs))}
	var family []ratio.Estimate
	var arms []ratio.Noise
	for i, logs := range x.logs {
		c.estimates[i] = ratio.OfLogs(logs, x.plan.Method)
		if x.plan.Arms[i].AA {
			arms = append(arms, ratio.Noise{Server: "again", Estimate: c.estimates[i]})
		} else {
			family = append(family, c.estimates[i])
		}
	}
	family = ratio.Simultaneous(family)
	for i, arm := range x.plan.Arms {
		if !arm.AA {
			c.estimates[i], family = family[0], family[1:]
			c.findings[i] = ratio.Judge(c.estimates[i], ratio.Question{HigherIsBetter: true, Margin: x.plan.Margin, Arms: arms})
		}
	}
	return c
}
