// Package simulate runs whole experiments on numbers from known distributions, with randomized rounds, A/A arm, correction, drop-outs, stop
// rule and verdicts, and counts how often their conclusions are true. Only tests import it.
package simulate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Model is a model of a machine's noise. New starts a new experiment.
type Model struct {
	Name string
	New  func(rng *rand.Rand) Machine
	// Mean of the seconds that a fault costs the baseline, in models of such seconds whose spread grows with their number; else 0.
	Mean float64
}

// Machine returns the noise of the next window: its effect on the logarithm of a server's figure, or the seconds that a fault cost in it, and
// whether the window was lost.
type Machine func() (noise float64, lost bool)

// Models returns the models for which the statistics must hold.
func Models() []Model {
	return []Model{
		{"independent", independent(0.05), 0},
		{"heavy tails", heavyTails(0.03), 0},
		{"drift", drift, 0},
		{"autocorrelation", autocorrelation, 0},
		{"bursts", bursts, 0},
		{"drop-outs", dropOuts, 0},
	}
}

// independent returns independent log-normal windows.
func independent(deviation float64) func(*rand.Rand) Machine {
	return func(rng *rand.Rand) Machine {
		return func() (float64, bool) { return deviation * rng.NormFloat64(), false }
	}
}

// heavyTails returns windows of which a few are far off. Student's distribution with three degrees of freedom has no fourth moment.
func heavyTails(scale float64) func(*rand.Rand) Machine {
	return func(rng *rand.Rand) Machine {
		far := distuv.StudentsT{Mu: 0, Sigma: scale, Nu: 3, Src: rng}
		return func() (float64, bool) { return far.Rand(), false }
	}
}

// drift slows the machine down by 1% a window on average, with a random walk of the same size, and adds noise to each window.
func drift(rng *rand.Rand) Machine {
	level := 0.0
	return func() (float64, bool) {
		level += -0.01 + 0.01*rng.NormFloat64()
		return level + 0.04*rng.NormFloat64(), false
	}
}

// autocorrelation makes a window similar to the previous one.
func autocorrelation(rng *rand.Rand) Machine {
	const memory = 0.8
	level := 0.05 * rng.NormFloat64()
	return func() (float64, bool) {
		level = memory*level + 0.05*math.Sqrt(1-memory*memory)*rng.NormFloat64()
		return level + 0.02*rng.NormFloat64(), false
	}
}

// bursts are shorter than a window, and reduce the machine's speed to a fifth. A window's figure is the mean of its parts.
func bursts(rng *rand.Rand) Machine {
	const parts, begins, ends = 50, 0.02, 0.25
	slow := false
	return func() (float64, bool) {
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
		return math.Log(done / parts), false
	}
}

// dropOuts loses one window of ten, independent of its figure.
func dropOuts(rng *rand.Rand) Machine {
	return func() (float64, bool) { return 0.05 * rng.NormFloat64(), rng.Float64() < 0.1 }
}
