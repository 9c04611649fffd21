package simulate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// LostModels returns models of the seconds that a fault costs in a round, for which the statistics of differences must hold. Sizes and spreads
// are those of the faults in docs/results/thrift-cassandra.md; the last one is worse.
func LostModels() []Model {
	return []Model{
		{"a silent node", silentNode, 1.2},
		{"a killed node", killedNode, 0.1},
		{"timeouts", timeouts, 0.3},
		{"a machine that slows down", slowingDown, 0},
	}
}

// silentNode costs the time after which clients give up, nearly the same in each round.
func silentNode(rng *rand.Rand) Machine {
	return func() (float64, bool) { return max(1.2+0.05*rng.NormFloat64(), 0), false }
}

// killedNode costs little, and seldom much.
func killedNode(rng *rand.Rand) Machine {
	return func() (float64, bool) { return 0.1 * rng.ExpFloat64(), false }
}

// timeouts are counted: each costs the same, and a round may have none.
func timeouts(rng *rand.Rand) Machine {
	count := distuv.Poisson{Lambda: 3, Src: rng}
	return func() (float64, bool) { return 0.1 * count.Rand(), false }
}

// RareOutages is the model of seconds that four of five rounds hardly have.
func RareOutages() Model { return Model{"rare outages", rareOutages, 0.05 + 0.2*0.5} }

// rareOutages adds a longer outage to one round of five.
func rareOutages(rng *rand.Rand) Machine {
	return func() (float64, bool) {
		seconds := 0.05 * rng.ExpFloat64()
		if rng.Float64() < 0.2 {
			seconds += 0.5 * rng.ExpFloat64()
		}
		return seconds, false
	}
}

// slowingDown costs more from window to window in one half of the experiments, and less in the other. Pairs within rounds cancel most of it.
func slowingDown(rng *rand.Rand) Machine {
	trend, level := 0.01, 0.0
	if rng.Float64() < 0.5 {
		trend = -trend
	}
	return func() (float64, bool) {
		level += trend * math.Abs(rng.NormFloat64())
		return 1.2 + level + 0.1*rng.NormFloat64(), false
	}
}
