// Package simulate runs whole experiments on numbers from known distributions, and counts how often what is said of them is true:
// randomized rounds, A/A arm, correction, drop-outs, the stop rule, verdicts. Only tests import it.
package simulate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Model of a machine's noise. New begins one experiment's time.
type Model struct {
	Name string
	New  func(rng *rand.Rand) Machine
}

// Machine returns the noise of one window after the other: what it adds to the logarithm of a server's figure, and whether the window
// was lost.
type Machine func() (noise float64, lost bool)

// Models that the statistics must hold on.
func Models() []Model {
	return []Model{
		{"independent", independent(0.05)},
		{"heavy tails", heavyTails(0.03)},
		{"drift", drift},
		{"autocorrelation", autocorrelation},
		{"bursts", bursts},
		{"drop-outs", dropOuts},
	}
}

// independent log-normal windows.
func independent(deviation float64) func(*rand.Rand) Machine {
	return func(rng *rand.Rand) Machine {
		return func() (float64, bool) { return deviation * rng.NormFloat64(), false }
	}
}

// heavyTails: now and then a window is far off. Student's distribution with three degrees of freedom has no fourth moment.
func heavyTails(scale float64) func(*rand.Rand) Machine {
	return func(rng *rand.Rand) Machine {
		far := distuv.StudentsT{Mu: 0, Sigma: scale, Nu: 3, Src: rng}
		return func() (float64, bool) { return far.Rand(), false }
	}
}

// drift: the machine slows down by 1% a window, wanders by as much, and each window has noise of its own.
func drift(rng *rand.Rand) Machine {
	level := 0.0
	return func() (float64, bool) {
		level += -0.01 + 0.01*rng.NormFloat64()
		return level + 0.04*rng.NormFloat64(), false
	}
}

// autocorrelation: a window is much like the one before.
func autocorrelation(rng *rand.Rand) Machine {
	const memory = 0.8
	level := 0.05 * rng.NormFloat64()
	return func() (float64, bool) {
		level = memory*level + 0.05*math.Sqrt(1-memory*memory)*rng.NormFloat64()
		return level + 0.02*rng.NormFloat64(), false
	}
}

// bursts shorter than a window, in which the machine does a fifth of its work: a window's figure is the mean of its parts.
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

// dropOuts: one window of ten is lost, whatever its figure.
func dropOuts(rng *rand.Rand) Machine {
	return func() (float64, bool) { return 0.05 * rng.NormFloat64(), rng.Float64() < 0.1 }
}
