package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// phase is a phase of a run of several. Its model, rounds and rule are those of the run.
type phase struct {
	design
	name, operation string
	// noise multiplies the noise of the run's model.
	noise float64
	// time of a round of this phase.
	time time.Duration
}

// phasedRun describes runs of several phases, which share rounds, machine and budget.
type phasedRun struct {
	model  model
	phases []phase
	rounds int
	stop   precision.Rule
	// whole measures all phases in all rounds.
	whole bool
	// debt is what a write in the same round does to the logarithms of the figures of the last arm in all other phases, as compactions do. The truth
	// is that of a run whose rounds all have it.
	debt float64
}

// outcomes runs a number of runs, and returns the outcome of each phase.
func (r phasedRun) outcomes(count int, seed uint64) []outcome {
	outcomes := make([]outcome, len(r.phases))
	for number := range count {
		for i, x := range r.once(rand.New(rand.NewPCG(seed, uint64(number)))) {
			outcomes[i].experiments = count
			outcomes[i].add(x)
		}
	}
	for i := range outcomes {
		outcomes[i] = outcomes[i].finish()
	}
	return outcomes
}

// once runs the rounds. A phase that is precise enough is left out of the later ones by the product's rule.
func (r phasedRun) once(rng *rand.Rand) []*experiment {
	next := r.model.start(rng)
	spec := v1beta1.ExperimentSpec{Store: v1beta1.StoreSpec{Hosting: v1beta1.HostingShared}}
	all := make([]*experiment, len(r.phases))
	for i, phase := range r.phases {
		spec.Phases = append(spec.Phases, v1beta1.PhaseSpec{Name: phase.name, Operation: phase.operation})
		all[i] = begin(phase.design, math.Inf(-1), rng)
		all[i].install()
	}
	var out []v1beta1.SettledPhase
	used := time.Duration(0)
	for round := range r.rounds {
		var samples []compare.Sample
		measured := func(name string) bool {
			return !slices.ContainsFunc(out, func(p v1beta1.SettledPhase) bool { return p.Phase == name })
		}
		written := slices.ContainsFunc(r.phases, func(p phase) bool { return p.operation == "write" && measured(p.name) })
		for i, phase := range r.phases {
			if measured(phase.name) {
				own := make([]float64, len(phase.arms)+1)
				if phase.operation != "write" && !written {
					own[len(phase.arms)-1] = -r.debt
				}
				all[i].round(func() float64 { return phase.noise * next() }, own)
				used += phase.time
			}
			samples = append(samples, all[i].samples(phase.name)...)
		}
		var before []string
		for _, p := range out {
			before = append(before, p.Phase)
		}
		decision := precision.Decide(samples, r.stop, before, round+1, used)
		if decision.Stop() {
			break
		}
		if !r.whole {
			out = precision.LeftOut(&spec, out, decision.Reached, int32(round+1))
		}
	}
	return all
}

func TestIntervalsOfPhasesThatSettle_holdTheTruth(t *testing.T) {
	d := design{arms: servers, margin: ratio.Share(0.03)}
	for _, model := range models() {
		for _, debt := range []float64{0, -0.1} {
			run := phasedRun{model: model, rounds: 100, debt: debt,
				phases: []phase{{d, "quiet", "write", 0.5, time.Minute}, {d, "medium", "read", 0.8, time.Minute}, {d, "loud", "read", 1.2, time.Minute}},
				stop:   precision.Rule{Precision: 0.03, Phases: map[string]ratio.Distance{"medium": ratio.Share(0.025)}, Budget: 5 * time.Hour}}
			for i, o := range run.outcomes(fewer(), seed+15) {
				check(t, model, run.phases[i].name, o)
			}
		}
	}
}

// thriftServers is make compare-servers with the noise of 25 November 2026 on two cores, by docs/results/thrift-cassandra.md. Half-widths of
// 12% for op rates and of 2% for CPU time in 15 rounds, corrected for five servers, are standard deviations of a round's log ratio of
// 0.156 and 0.026, by which the noise of each of its two figures is the square root of 2 smaller. That of p95 in duets is 0.16 by
// docs/results/thrift-designs.csv. Here the baseline has one figure in a round, where each duet has its own.
func thriftServers(quieter float64) phasedRun {
	of := func(truths ...float64) design {
		d := design{arms: []arm{{1, true}, {1, false}}, margin: ratio.Share(0.03)}
		for _, truth := range truths {
			d.arms = append(d.arms, arm{truth, false})
		}
		return d
	}
	return phasedRun{model: model{"independent, as of Thrift servers", independent(0.11 / quieter), 0}, rounds: 60,
		phases: []phase{
			{of(1.12, 1.18, 0.75, 0.67), "write", "write", 1, 14 * time.Second},
			{of(1.12, 1.18, 0.75, 0.67), "read", "read", 1, 14 * time.Second},
			{of(0.97, 0.95, 0.947, 1.313), "read-rate", "read", 0.167, 38 * time.Second},
			{of(1/0.9, 1/0.8, 0.5, 0.83), "read-latency", "read", 1.03, 21 * time.Second},
		},
		stop: precision.Rule{Precision: 0.03, Phases: map[string]ratio.Distance{"read-rate": ratio.Share(0.015), "read-latency": ratio.Share(0.08)}, Budget: 20 * time.Minute},
	}
}

func TestTimeOfPrecisePhases_narrowsTheIntervalsOfTheOthers(t *testing.T) {
	for _, c := range []struct {
		name    string
		quieter float64
	}{{"two noisy cores", 1}, {"half the noise", 2}, {"a quarter of the noise", 4}} {
		divided := thriftServers(c.quieter)
		whole := divided
		whole.whole = true
		before, after := whole.outcomes(fewer(), seed+16), divided.outcomes(fewer(), seed+16)
		for i, phase := range divided.phases {
			check(t, divided.model, c.name+", "+phase.name+", all rounds", before[i])
			check(t, divided.model, c.name+", "+phase.name+", until precise", after[i])
		}
		if c.quieter == 4 {
			assert.Less(t, after[0].halfWidth, 0.9*before[0].halfWidth, "writes")
			assert.Less(t, after[2].rounds, before[2].rounds, "the CPU time is measured until it is precise")
		}
	}
}

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
