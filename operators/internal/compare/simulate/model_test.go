package simulate

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// model is a model of a machine's noise. start begins a new experiment.
type model struct {
	name  string
	start func(rng *rand.Rand) machine
	// mean of the seconds that a fault costs the baseline, in models of such seconds whose spread grows with their number; else 0.
	mean float64
}

// machine returns the noise of the next measurement: its effect on the logarithm of a server's figure, or the seconds that a fault cost in it.
type machine func() float64

// models returns the models for which the statistics must hold.
func models() []model {
	return []model{
		{"independent", independent(0.05), 0},
		{"heavy tails", heavyTails, 0},
		{"drift", drift, 0},
		{"autocorrelation", autocorrelation, 0},
		{"bursts", bursts, 0},
	}
}

// independent returns independent log-normal figures.
func independent(deviation float64) func(*rand.Rand) machine {
	return func(rng *rand.Rand) machine {
		return func() float64 { return deviation * rng.NormFloat64() }
	}
}

// heavyTails has a few figures that are far off. Student's distribution with three degrees of freedom has no fourth moment.
func heavyTails(rng *rand.Rand) machine {
	return distuv.StudentsT{Mu: 0, Sigma: 0.03, Nu: 3, Src: rng}.Rand
}

// drift slows the machine down by 1% a measurement on average, with a random walk of the same size, and adds noise to each.
func drift(rng *rand.Rand) machine {
	level := 0.0
	return func() float64 {
		level += -0.01 + 0.01*rng.NormFloat64()
		return level + 0.04*rng.NormFloat64()
	}
}

// autocorrelation makes a measurement similar to the previous one.
func autocorrelation(rng *rand.Rand) machine {
	const memory = 0.8
	level := 0.05 * rng.NormFloat64()
	return func() float64 {
		level = memory*level + 0.05*math.Sqrt(1-memory*memory)*rng.NormFloat64()
		return level + 0.02*rng.NormFloat64()
	}
}

// bursts are shorter than a measurement, and reduce the machine's speed to a fifth. A figure is the mean of its parts.
func bursts(rng *rand.Rand) machine {
	const parts, begins, ends = 50, 0.02, 0.25
	slow := false
	return func() float64 {
		done := 0.0
		for range parts {
			if slow {
				slow = rng.Float64() >= ends
			} else {
				slow = rng.Float64() < begins
			}
			if slow {
				done += 0.2
			} else {
				done++
			}
		}
		return math.Log(done / parts)
	}
}

// slowest returns the noise below which a share of the measurements is.
func (m model) slowest(share float64) float64 {
	if share == 0 {
		return math.Inf(-1)
	}
	const draws = 20_000
	noise, next := make([]float64, draws), m.start(rand.New(rand.NewPCG(seed, 0)))
	for i := range noise {
		noise[i] = next()
	}
	slices.Sort(noise)
	return noise[int(share*draws)]
}

// lostModels returns models of the seconds that a fault costs in a round, for which the statistics of differences must hold. Sizes and spreads
// are those of the faults in docs/results/thrift-cassandra.md; the last one is worse.
func lostModels() []model {
	return []model{
		{"a silent node", silentNode, 1.2},
		{"a killed node", killedNode, 0.1},
		{"timeouts", timeouts, 0.3},
		{"a machine that slows down", slowingDown, 0},
	}
}

// silentNode costs the time after which clients give up, nearly the same in each round.
func silentNode(rng *rand.Rand) machine {
	return func() float64 { return max(1.2+0.05*rng.NormFloat64(), 0) }
}

// killedNode costs little, and seldom much.
func killedNode(rng *rand.Rand) machine {
	return func() float64 { return 0.1 * rng.ExpFloat64() }
}

// timeouts are counted: each costs the same, and a round may have none.
func timeouts(rng *rand.Rand) machine {
	count := distuv.Poisson{Lambda: 3, Src: rng}
	return func() float64 { return 0.1 * count.Rand() }
}

// slowingDown costs more from measurement to measurement in one half of the experiments, and less in the other. Pairs within rounds cancel most.
func slowingDown(rng *rand.Rand) machine {
	trend, level := 0.01, 0.0
	if rng.Float64() < 0.5 {
		trend = -trend
	}
	return func() float64 {
		level += trend * math.Abs(rng.NormFloat64())
		return 1.2 + level + 0.1*rng.NormFloat64()
	}
}

// rareOutages is the model of seconds that four of five rounds hardly have.
var rareOutages = model{"rare outages", func(rng *rand.Rand) machine {
	return func() float64 {
		seconds := 0.05 * rng.ExpFloat64()
		if rng.Float64() < 0.2 {
			seconds += 0.5 * rng.ExpFloat64()
		}
		return seconds
	}
}, 0.05 + 0.2*0.5}
