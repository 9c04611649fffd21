package simulate

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/plan"
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

// arm is a server that an experiment compares with its baseline.
type arm struct {
	// truth is the true ratio or, with the method ratio.Difference, the true difference.
	truth float64
	// aa marks the arm that is known to be the baseline.
	aa bool
}

// design describes experiments.
type design struct {
	model  model
	arms   []arm
	method ratio.Method
	// rounds is the number on each of several installations. between is the standard deviation of an installation's effect on the logarithm of each
	// arm's figure.
	rounds, installations int
	between               float64
	// lost is the share of the slowest measurements that a gate makes invalid; not those of the baseline.
	lost float64
	// order is the effect of a server's place in a round of n, and of the server before it, on the logarithm of its figure. -1 is none, and the
	// baseline is the last server. nil has no effect.
	order func(place, n, before int) float64
	// stop is the rule that may end the rounds early; nil for none. A round takes a minute.
	stop   *precision.Rule
	margin ratio.Distance
}

// equal is the truth of an arm that equals the baseline.
func (d design) equal() float64 {
	if d.method == ratio.Difference {
		return 0
	}
	return 1
}

// figure returns what is measured of a server: on the logarithmic scale, or in seconds. Where the model has a mean, a server loses more seconds in
// proportion to what the round costs the baseline, so that its figures are wider and more skewed.
func (d design) figure(noise, truth float64) float64 {
	switch {
	case d.method != ratio.Difference:
		return noise + math.Log(truth)
	case d.model.mean > 0:
		return noise * (1 + truth/d.model.mean)
	}
	return noise + truth
}

// experiment holds what an experiment measured, by arm.
type experiment struct {
	design design
	rounds []ratio.Sample
	orders *plan.Orders
	before int
	// slow is the noise below which a measurement is lost.
	slow float64
	// done is the number of rounds.
	done int
}

func begin(d design, slow float64, rng *rand.Rand) *experiment {
	return &experiment{design: d, rounds: make([]ratio.Sample, len(d.arms)), orders: plan.NewOrders(len(d.arms)+1, int64(rng.Uint64()>>1)), before: -1, slow: slow}
}

// run measures all arms in the product's order of servers until the rounds are over or the rule stops them.
func run(d design, slow float64, rng *rand.Rand) *experiment {
	x, next := begin(d, slow, rng), d.model.start(rng)
	for range max(d.installations, 1) {
		own := make([]float64, len(d.arms)+1)
		for i := range own {
			own[i] = d.between * rng.NormFloat64()
		}
		x.install()
		for range d.rounds {
			x.round(next, own)
			if d.stop != nil && precision.Decide(x.samples(""), *d.stop, nil, x.done, time.Duration(x.done)*time.Minute).Stop() {
				return x
			}
		}
	}
	return x
}

func (x *experiment) install() {
	for i := range x.rounds {
		x.rounds[i].Figures, x.rounds[i].Lost = append(x.rounds[i].Figures, nil), append(x.rounds[i].Lost, 0)
	}
}

// round measures all arms and the baseline, which is the last index.
func (x *experiment) round(next machine, own []float64) {
	x.done++
	base := len(x.design.arms)
	figures := make([]float64, len(own))
	for place, i := range x.orders.Next() {
		noise, truth := next(), x.design.equal()
		if i < base {
			truth = x.design.arms[i].truth
		}
		figures[i] = x.design.figure(own[i]+noise, truth)
		if x.design.order != nil {
			figures[i] += x.design.order(place, len(own), x.before)
		}
		if i < base && noise < x.slow {
			figures[i] = math.NaN()
		}
		x.before = i
	}
	for i := range x.rounds {
		r := &x.rounds[i]
		at := len(r.Lost) - 1
		if effect := figures[i] - figures[base]; math.IsNaN(effect) {
			r.Lost[at]++
		} else {
			r.Figures[at] = append(r.Figures[at], effect)
		}
	}
}

// samples returns what the rule decides by.
func (x *experiment) samples(phase string) []compare.Sample {
	samples := make([]compare.Sample, len(x.rounds))
	for i := range x.rounds {
		samples[i] = compare.Sample{Rounds: x.rounds[i], Method: x.design.method, AA: x.design.arms[i].aa, Phase: phase, Load: phase}
	}
	return samples
}

// conclude applies the steps of a comparison to its primary metric. A/A arms have no finding.
func (x *experiment) conclude() (estimates []ratio.Estimate, findings []ratio.Finding) {
	var family []ratio.Estimate
	var arms []ratio.Noise
	for i, rounds := range x.rounds {
		estimates = append(estimates, ratio.Of(rounds, x.design.method))
		if x.design.arms[i].aa {
			arms = append(arms, ratio.Noise{Server: "again", Estimate: estimates[i]})
		} else {
			family = append(family, estimates[i])
		}
	}
	findings = make([]ratio.Finding, len(estimates))
	family = ratio.Simultaneous(family)
	for i, arm := range x.design.arms {
		if !arm.aa {
			estimates[i], family = family[0], family[1:]
			findings[i] = ratio.Judge(estimates[i], ratio.Question{HigherIsBetter: true, Margin: x.design.margin, Arms: arms})
		}
	}
	return estimates, findings
}
