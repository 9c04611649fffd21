package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// outcome holds shares over many experiments.
type outcome struct {
	experiments int
	// arm reports whether there is an A/A arm.
	arm bool
	// covered is the share in which no interval, A/A arms aside, excludes the truth. An unknown interval excludes nothing.
	covered float64
	// known is the share of the arms, A/A arms aside, that have an interval; heldKnown the share of these that contains the truth.
	known, heldKnown float64
	// aaDiffers is the share in which the interval of the A/A arm excludes 1.
	aaDiffers float64
	// calledDifferent is the share in which an arm that equals the baseline, but is not marked as A/A, is called faster or slower.
	calledDifferent float64
	// wrong is the share with a false verdict.
	wrong float64
	// found is the share of the differing arms that are called faster or slower.
	found float64
	// rounds is the mean number of rounds, halfWidth the mean half-width of the widest known interval.
	rounds, halfWidth float64
}

func (o outcome) String() string {
	return fmt.Sprintf("%d experiments: covered %.3f (known %.2f, of these %.3f), A/A differs %.3f, equals called different %.3f, wrong %.3f, found %.2f, rounds %.1f, half-width %.3f",
		o.experiments, o.covered, o.known, o.heldKnown, o.aaDiffers, o.calledDifferent, o.wrong, o.found, o.rounds, o.halfWidth)
}

// experiments runs a number of experiments of one design. Equal seeds give equal results.
func experiments(d design, count int, seed uint64) outcome {
	o, slow := outcome{experiments: count}, d.model.slowest(d.lost)
	for number := range count {
		o.add(run(d, slow, rand.New(rand.NewPCG(seed, uint64(number)))))
	}
	return o.finish()
}

// add adds the outcome of one of the experiments.
func (o *outcome) add(x *experiment) {
	estimates, findings := x.conclude()
	share, different, judged := 1/float64(o.experiments), 0.0, 0.0
	for _, arm := range x.design.arms {
		different += one(arm.truth != x.design.equal())
		judged += one(!arm.aa)
		o.arm = o.arm || arm.aa
	}
	covered, aaDiffers, calledDifferent, wrong, widest := true, false, false, false, 0.0
	for i, arm := range x.design.arms {
		e, finding := estimates[i], findings[i]
		if arm.aa {
			aaDiffers = aaDiffers || e.Differs()
			continue
		}
		called := finding.Verdict == ratio.Faster || finding.Verdict == ratio.Slower
		if e.Known() {
			held := e.Low <= arm.truth && arm.truth <= e.High
			covered, widest = covered && held, max(widest, e.HalfWidth())
			o.known += share / judged
			o.heldKnown += share / judged * one(held)
		}
		if arm.truth == x.design.equal() {
			calledDifferent = calledDifferent || called
		} else {
			o.found += share / different * one(called)
		}
		wrong = wrong || !x.design.holds(finding.Verdict, arm.truth)
	}
	o.covered += share * one(covered)
	o.aaDiffers += share * one(aaDiffers)
	o.calledDifferent += share * one(calledDifferent)
	o.wrong += share * one(wrong)
	o.rounds += share * float64(x.done)
	o.halfWidth += share * widest
}

// finish relates the intervals that hold to those that are known.
func (o outcome) finish() outcome {
	if o.known > 0 {
		o.heldKnown /= o.known
	}
	return o
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// holds reports whether a verdict is true.
func (d design) holds(verdict ratio.Verdict, truth float64) bool {
	switch verdict {
	case ratio.Faster:
		return truth > d.equal()
	case ratio.Slower:
		return truth < d.equal()
	case ratio.Equivalent:
		if d.method != ratio.Difference {
			truth = math.Log(truth)
		}
		return math.Abs(truth) <= d.margin.Scaled()
	}
	return true
}
