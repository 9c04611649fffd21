package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// Outcome holds shares over many experiments.
type Outcome struct {
	Experiments int
	// Covered is the share in which all intervals, A/A arms aside, contain the truth.
	Covered float64
	// AADiffers is the share in which the interval of the A/A arm excludes 1.
	AADiffers float64
	// CalledDifferent is the share in which an arm that equals the baseline, but is not marked as A/A, is called faster or slower.
	CalledDifferent float64
	// Wrong is the share with a false verdict.
	Wrong float64
	// Found is the share of the differing arms that are called faster or slower.
	Found float64
	// Equivalent is the share of the arms, A/A arms aside, that are called equivalent.
	Equivalent float64
	// Rounds is the mean number of rounds, HalfWidth the mean half-width of the widest interval.
	Rounds, HalfWidth float64
}

func (o Outcome) String() string {
	return fmt.Sprintf("%d experiments: covered %.3f, A/A differs %.3f, equals called different %.3f, wrong %.3f, found %.2f, equivalent %.3f, rounds %.1f, half-width %.3f",
		o.Experiments, o.Covered, o.AADiffers, o.CalledDifferent, o.Wrong, o.Found, o.Equivalent, o.Rounds, o.HalfWidth)
}

// Experiments runs a number of experiments of one plan. Equal seeds give equal results.
func Experiments(plan Plan, count int, seed uint64) Outcome {
	o := Outcome{Experiments: count}
	for number := range count {
		x := run(plan, rand.New(rand.NewPCG(seed, uint64(number))))
		o.add(&x)
	}
	return o
}

// add adds the outcome of one of the experiments.
func (o *Outcome) add(x *experiment) {
	share, different, judged := 1/float64(o.Experiments), 0, 0
	for _, arm := range x.plan.Arms {
		if arm.Truth != x.plan.equal() {
			different++
		}
		if !arm.AA {
			judged++
		}
	}
	seen := x.tally()
	o.Covered += share * one(seen.covered)
	o.AADiffers += share * one(seen.aaDiffers)
	o.CalledDifferent += share * one(seen.calledDifferent)
	o.Wrong += share * one(seen.wrong)
	o.Found += share * float64(seen.found) / max(float64(different), 1)
	o.Equivalent += share * float64(seen.equivalent) / max(float64(judged), 1)
	o.Rounds += share * float64(x.rounds)
	o.HalfWidth += share * seen.widest
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// tally holds the outcome of one experiment.
type tally struct {
	covered, aaDiffers, calledDifferent, wrong bool
	found, equivalent                          int
	widest                                     float64
}

func (x *experiment) tally() tally {
	c := x.conclude()
	seen := tally{covered: true}
	for i, arm := range x.plan.Arms {
		e, finding := c.estimates[i], c.findings[i]
		if arm.AA {
			seen.aaDiffers = seen.aaDiffers || e.Differs()
			continue
		}
		seen.covered = seen.covered && e.Low <= arm.Truth && arm.Truth <= e.High
		seen.widest = max(seen.widest, e.HalfWidth())
		called := finding.Verdict == ratio.Faster || finding.Verdict == ratio.Slower
		if finding.Verdict == ratio.Equivalent {
			seen.equivalent++
		}
		if arm.Truth == x.plan.equal() {
			seen.calledDifferent = seen.calledDifferent || called
		} else if called {
			seen.found++
		}
		seen.wrong = seen.wrong || !x.plan.holds(finding.Verdict, arm.Truth)
	}
	return seen
}

// holds reports whether a verdict is true.
func (p Plan) holds(verdict ratio.Verdict, truth float64) bool {
	switch verdict {
	case ratio.Faster:
		return truth > p.equal()
	case ratio.Slower:
		return truth < p.equal()
	case ratio.Equivalent:
		if p.Method != ratio.Difference {
			truth = math.Log(truth)
		}
		return math.Abs(truth) <= p.Margin.Scaled()
	}
	return true
}
