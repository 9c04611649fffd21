// Package simulate runs whole experiments on numbers from known distributions, by the product's order of servers, estimates, correction, A/A arm, stop
// rule and verdicts, and counts how often their conclusions are true. It has only tests.
package simulate

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// make simulate runs 2,000 experiments of each kind, for which the bounds below hold. Daily tests run fewer, with accordingly wider bounds.
var count = flag.Int("experiments", 200, "simulated experiments of each kind")

const seed = 20261122

// Bounds for the full number of experiments, in which the standard error of a share of 95% is 0.5%.
const (
	leastCovered, mostCovered = 0.93, 0.97
	mostDifferent             = 0.05
	full                      = 2000
)

// slack is three standard errors of a share of 95% with fewer experiments than the full number; 0 with the full number.
func slack(experiments int) float64 {
	if experiments >= full {
		return 0
	}
	return 3 * math.Sqrt(0.95*0.05/float64(experiments))
}

// fewer returns a reduced number of experiments for slow tests, unless the full number is requested.
func fewer() int {
	if *count >= full {
		return *count
	}
	return max(*count/4, 1)
}

// checkTrue requires that intervals hold the truth, and that no more verdicts are false than the intervals allow.
func checkTrue(t *testing.T, name string, o outcome) {
	t.Helper()
	t.Logf("%s: %s", name, o)
	slack, most := slack(o.experiments), mostDifferent
	if !o.arm { // only the interval prevents a false verdict
		most = 1 - leastCovered
	}
	assert.GreaterOrEqual(t, o.covered, leastCovered-slack, "%s: intervals that hold the truth", name)
	assert.LessOrEqual(t, o.calledDifferent, most+slack, "%s: equal servers called different", name)
	assert.LessOrEqual(t, o.wrong, most+slack, "%s: verdicts that are not true", name)
}

// check requires besides that intervals are not wider than they claim, if the noise is what Student's t assumes.
func check(t *testing.T, m model, name string, o outcome) {
	t.Helper()
	checkTrue(t, m.name+", "+name, o)
	if strings.HasPrefix(m.name, "independent") {
		assert.LessOrEqual(t, o.covered, mostCovered+slack(o.experiments), "%s, %s: intervals that hold the truth", m.name, name)
	}
}

var (
	// oneServer is equal to the baseline. The first arm of several is an A/A arm.
	oneServer = []arm{{1, true}, {1, false}}
	// servers are one that is equal to the baseline, one that is slightly faster, and one that is much slower.
	servers = []arm{{1, true}, {1, false}, {1.05, false}, {0.7, false}}
)

func TestIntervals_holdTheTruth(t *testing.T) {
	for _, model := range models() {
		for _, rounds := range []int{3, 5, 12} {
			for _, arms := range [][]arm{oneServer, servers} {
				d := design{model: model, arms: arms, rounds: rounds, margin: ratio.Share(0.03)}
				check(t, model, fmt.Sprintf("%d rounds, %d servers", rounds, len(arms)-1), experiments(d, *count, seed))
			}
		}
		d := design{model: model, arms: oneServer, rounds: 16, method: ratio.Bootstrap}
		check(t, model, "percentiles", experiments(d, fewer(), seed+3))
		d = design{model: model, arms: oneServer, rounds: 4, installations: 5, between: 0.03}
		check(t, model, "five installations", experiments(d, *count, seed+7))
	}
}

// Without an A/A arm, only the interval prevents a false verdict.
func TestEqualServer_isCalledDifferentAsOftenAsTheIntervalSays(t *testing.T) {
	for _, model := range models() {
		o := experiments(design{model: model, arms: []arm{{1, false}}, rounds: 12}, *count, seed+2)
		t.Logf("%s: %s", model.name, o)
		assert.InDelta(t, 0.05, o.calledDifferent, 0.02+slack(*count), model.name)
	}
}

// The slowest measurements of the servers are lost, as those that miss a rate or time out; those of the baseline are not. Intervals of what is left
// would hold a ratio of 1.10 in 62% if 31% are lost.
func TestIntervals_holdTheTruthIfSlowRoundsAreLost(t *testing.T) {
	for _, model := range models() {
		if model.name == "drift" {
			continue // the slowest are the last
		}
		for _, method := range []ratio.Method{ratio.StudentT, ratio.Bootstrap} {
			for _, rounds := range []int{3, 5, 12, 24, 60} {
				for _, lost := range []float64{0.02, 0.05, 0.1, 0.31, 0.5} {
					n := *count
					if method == ratio.Bootstrap {
						if rounds != 24 {
							continue
						}
						n = fewer()
					}
					d := design{model: model, arms: []arm{{1.1, false}}, rounds: rounds, lost: lost, method: method, margin: ratio.Share(0.03)}
					checkTrue(t, fmt.Sprintf("%s, method %d, %d rounds, %g%% lost", model.name, method, rounds, 100*lost), experiments(d, n, seed+30))
				}
			}
		}
		for _, lost := range []float64{0.05, 0.31} {
			d := design{model: model, arms: servers, rounds: 24, lost: lost, margin: ratio.Share(0.03)}
			checkTrue(t, fmt.Sprintf("%s, three servers, %g%% lost", model.name, 100*lost), experiments(d, *count, seed+31))
			d.stop, d.rounds = threePercent, 100
			checkTrue(t, fmt.Sprintf("%s, three servers, %g%% lost, stops by itself", model.name, 100*lost), experiments(d, fewer(), seed+32))
		}
	}
}

// What a server's place in the round, and the server before it, do to its figure. Heat, page cache and compactions make each server slower than the
// one before it, or all but the first; a server that leaves compactions behind slows down the next.
func TestIntervals_holdTheTruthWithAnEffectOfTheOrder(t *testing.T) {
	effects := []struct {
		name   string
		effect func(size float64) func(place, n, before int) float64
	}{
		{"each place", func(size float64) func(int, int, int) float64 {
			return func(place, n, _ int) float64 { return -size * float64(place) / float64(n-1) }
		}},
		{"all but the first", func(size float64) func(int, int, int) float64 {
			return func(place, _, _ int) float64 { return -size * one(place > 0) }
		}},
		{"after the first arm", func(size float64) func(int, int, int) float64 {
			return func(_, _, before int) float64 { return -size * one(before == 0) }
		}},
	}
	for _, noise := range []float64{0.01, 0.05} {
		for _, e := range effects {
			for _, size := range []float64{0.05, 0.1} {
				for _, rounds := range []int{3, 4, 5, 12} {
					for _, arms := range [][]arm{{{1, false}}, servers, {{1, true}, {1, false}, {1, false}, {1.05, false}, {0.7, false}, {1.1, false}}} {
						d := design{model: model{"independent", independent(noise), 0}, arms: arms, rounds: rounds, order: e.effect(size), margin: ratio.Share(0.03)}
						checkTrue(t, fmt.Sprintf("noise %g%%, %s %g%%, %d rounds of %d servers", 100*noise, e.name, 100*size, rounds, len(arms)+1), experiments(d, *count, seed+33))
					}
				}
			}
		}
	}
}

// threePercent is the rule of the documentation.
var threePercent = &precision.Rule{Precision: 0.03, Budget: time.Hour}

// Sizes of noise: one for which the least rounds suffice, one for which they almost do, where stopping at the first narrow interval
// overstates the precision most, and two that need far more.
func TestIntervals_holdTheTruthInRunsThatStopByThemselves(t *testing.T) {
	var noises []model
	for _, deviation := range []float64{0.02, 0.035, 0.05, 0.08} {
		noises = append(noises, model{fmt.Sprintf("independent, %g", deviation), independent(deviation), 0})
	}
	for _, model := range append(noises, models()[1:]...) {
		for _, arms := range [][]arm{oneServer, servers} {
			d := design{model: model, arms: arms, rounds: 100, stop: threePercent, margin: ratio.Share(0.03)}
			check(t, model, fmt.Sprintf("%d servers", len(arms)-1), experiments(d, fewer(), seed+5))
		}
	}
}

// The interval of one installation does not contain the differences between installations: it applies to that installation only.
func TestRoundsOfOneInstallation_sayNothingOfTheServer(t *testing.T) {
	o := experiments(design{model: models()[0], arms: []arm{{1, false}}, rounds: 20, between: 0.03}, *count, seed+8)
	assert.Less(t, o.covered, 0.85, o.String())
}

func TestDifferenceOfFivePercent_isFound(t *testing.T) {
	o := experiments(design{model: model{"independent", independent(0.03), 0}, arms: []arm{{1, true}, {0.95, false}}, rounds: 20}, *count, seed+9)
	assert.Greater(t, o.found, 0.9, o.String())
}

// beyond is the smallest difference that is not within the margin of seconds.
var beyond = math.Nextafter(0.1, 1)

// leastSkewed is the least share of families of several servers whose intervals hold the truth: one server costs six times as much as the
// baseline, and exponentially distributed differences of twelve rounds are too few for the far quantiles of a correction.
const leastSkewed = 0.91

func TestIntervalsOfSecondsLost_holdTheTruth(t *testing.T) {
	type family struct {
		name   string
		rounds int
		arms   []arm
		stop   *precision.Rule
	}
	byTime := &precision.Rule{Precision: 0.03, Phases: map[string]ratio.Distance{"": ratio.Seconds(0.07)}, Budget: time.Hour}
	for i, model := range lostModels() {
		families := []family{
			{"equal", 12, []arm{{0, true}, {0, false}}, nil},
			{"three servers", 12, []arm{{0, true}, {0, false}, {beyond, false}, {0.5, false}}, nil},
			{"more, alone", 24, []arm{{beyond, false}}, nil}, // only the interval prevents a false verdict
			{"stops by itself", 40, []arm{{0, true}, {beyond, false}}, byTime},
		}
		if model.mean == 0 || model.mean > beyond { // a server cannot lose less than nothing
			families = append(families, family{"less, alone", 24, []arm{{-beyond, false}}, nil})
		}
		for _, f := range families {
			n := fewer()
			if f.stop != nil {
				n = max(n/8, 12) // each round draws the distribution again
			}
			o := experiments(design{model: model, method: ratio.Difference, arms: f.arms, rounds: f.rounds, stop: f.stop, margin: ratio.Seconds(0.1)}, n, seed+20+uint64(i))
			name, least, slack := model.name+", "+f.name, leastCovered, slack(o.experiments)
			if len(f.arms) > 2 {
				least = leastSkewed
			}
			t.Logf("%s: %s", name, o)
			assert.GreaterOrEqual(t, o.covered, least-slack, "%s: intervals that hold the truth", name)
			assert.LessOrEqual(t, o.aaDiffers, 1-leastCovered+slack, "%s: A/A arms that differ", name)
			assert.LessOrEqual(t, o.calledDifferent, mostDifferent+slack, "%s: equal servers called different", name)
			assert.LessOrEqual(t, o.wrong, mostDifferent+slack, "%s: verdicts that are not true, such as equivalent beyond the margin", name)
		}
	}
}

// What most rounds do not have is missing in many runs, and no interval of their rounds contains it.
func TestIntervalsOfSecondsLost_doNotHoldOutagesThatFewRoundsHave(t *testing.T) {
	o := experiments(design{model: rareOutages, method: ratio.Difference, arms: []arm{{-beyond, false}}, rounds: 12, margin: ratio.Seconds(0.1)}, fewer(), seed+25)
	assert.Less(t, o.covered, 0.9+slack(o.experiments), o.String())
}
