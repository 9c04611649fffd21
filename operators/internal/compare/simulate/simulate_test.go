package simulate

import (
	"flag"
	"fmt"
	"math"
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

func check(t *testing.T, name string, o Outcome) {
	t.Helper()
	t.Logf("%s: %s", name, o)
	slack := slack(o.Experiments)
	assert.GreaterOrEqual(t, o.Covered, leastCovered-slack, "%s: intervals that hold the truth", name)
	assert.LessOrEqual(t, o.Covered, mostCovered+slack, "%s: intervals that hold the truth", name)
	assert.LessOrEqual(t, o.CalledDifferent, mostDifferent+slack, "%s: equal servers called different", name)
	assert.LessOrEqual(t, o.Wrong, mostDifferent+slack, "%s: verdicts that are not true", name)
}

// arms returns one arm marked as the baseline, one equal to it without the mark, one slightly faster, and one much slower.
func arms() []Arm { return []Arm{{1, true}, {1, false}, {1.05, false}, {0.7, false}} }

func TestIntervalsHoldTheTruthAndEqualServersAreNotToldApart(t *testing.T) {
	for _, model := range Models() {
		t.Run(model.Name, func(t *testing.T) {
			check(t, "one server", Experiments(Plan{Model: model, Arms: []Arm{{1, true}, {1, false}}, Rounds: 12, Margin: ratio.Share(0.03)}, *count, seed))
			check(t, "three servers", Experiments(Plan{Model: model, Arms: arms(), Rounds: 12, Margin: ratio.Share(0.03)}, *count, seed+1))
		})
	}
}

// Without an A/A arm, only the interval prevents a false verdict.
func TestAnAAPairAloneIsCalledDifferentAsOftenAsTheIntervalSays(t *testing.T) {
	for _, model := range Models() {
		o := Experiments(Plan{Model: model, Arms: []Arm{{1, false}}, Rounds: 12}, *count, seed+2)
		t.Logf("%s: %s", model.Name, o)
		assert.InDelta(t, 0.05, o.CalledDifferent, 0.02+slack(*count), model.Name)
	}
}

func TestPercentilesIntervalsHoldTheTruth(t *testing.T) {
	for _, model := range Models() {
		t.Run(model.Name, func(t *testing.T) {
			check(t, "bootstrapped", Experiments(Plan{Model: model, Arms: []Arm{{1, true}, {1, false}}, Rounds: 16, Method: ratio.Bootstrap}, fewer(), seed+3))
		})
	}
}

// threePercent is the rule of the documentation.
func threePercent(least int) *precision.Rule {
	return &precision.Rule{Precision: 0.03, Budget: time.Hour, LeastRounds: least}
}

// Sizes of noise: one for which the least rounds suffice, one for which they almost do, where stopping at the first narrow interval
// overstates the precision most, and two that need far more.
func TestIntervalsOfRunsThatStopByThemselvesHoldTheTruth(t *testing.T) {
	for _, deviation := range []float64{0.02, 0.035, 0.05, 0.08} {
		model := Model{fmt.Sprintf("independent, %g", deviation), independent(deviation), 0}
		check(t, model.Name, Experiments(Plan{Model: model, Arms: []Arm{{1, true}, {1, false}}, Rounds: 100, Stop: threePercent(0), Margin: ratio.Share(0.03)}, *count, seed+4))
	}
	for _, model := range Models()[1:] {
		check(t, model.Name, Experiments(Plan{Model: model, Arms: []Arm{{1, true}, {1, false}}, Rounds: 100, Stop: threePercent(0), Margin: ratio.Share(0.03)}, *count, seed+5))
		check(t, model.Name+", three servers", Experiments(Plan{Model: model, Arms: arms(), Rounds: 100, Stop: threePercent(0), Margin: ratio.Share(0.03)}, fewer(), seed+6))
	}
}

// Rounds of windows count as their pieces: many short rounds, and few long ones, which have less overhead.
func TestIntervalsByPiecesOfRoundsHoldTheTruth(t *testing.T) {
	for _, model := range Models() {
		for _, shape := range []struct{ rounds, windows int }{{12, 4}, {3, 16}, {5, 8}} {
			if model.Name == "drop-outs" && shape.rounds < 12 {
				continue // with so many windows, one is always lost
			}
			plan := Plan{Model: model, Arms: []Arm{{1, true}, {1, false}}, Rounds: shape.rounds, Windows: shape.windows, Margin: ratio.Share(0.03)}
			check(t, fmt.Sprintf("%s, %d rounds of %d windows", model.Name, shape.rounds, shape.windows), Experiments(plan, *count, seed+11))
			plan.Arms = arms()
			check(t, fmt.Sprintf("%s, %d rounds of %d windows, three servers", model.Name, shape.rounds, shape.windows), Experiments(plan, fewer(), seed+12))
		}
	}
}

func TestIntervalsByPiecesOfRunsThatStopByThemselvesHoldTheTruth(t *testing.T) {
	for _, deviation := range []float64{0.07, 0.1, 0.15} {
		model := Model{fmt.Sprintf("independent, %g", deviation), independent(deviation), 0}
		check(t, model.Name, Experiments(Plan{Model: model, Arms: []Arm{{1, true}, {1, false}}, Rounds: 100, Windows: 4, Stop: threePercent(0), Margin: ratio.Share(0.03)}, fewer(), seed+13))
	}
}

// A run that may stop after three rounds stops when three happen to agree. The least number of rounds prevents that.
func TestARunThatMayStopTooSoonFlattersItself(t *testing.T) {
	model := Model{"independent", independent(0.05), 0}
	for _, least := range []int{3, 5, 8, precision.LeastRounds} {
		o := Experiments(Plan{Model: model, Arms: []Arm{{1, false}}, Rounds: 100, Stop: threePercent(least)}, *count, seed+10)
		t.Logf("at least %d rounds: %s", least, o)
		if least == 3 {
			assert.Less(t, o.Covered, leastCovered+slack(*count))
		}
	}
}

func TestIntervalsOverInstallationsSpeakOfTheServer(t *testing.T) {
	for _, model := range Models() {
		plan := Plan{Model: model, Arms: []Arm{{1, true}, {1, false}}, Rounds: 4, Installations: 5, Between: 0.03}
		check(t, model.Name, Experiments(plan, *count, seed+7))
	}
}

// The interval of one installation does not contain the differences between installations: it applies to that installation only.
func TestRoundsOnOneInstallationSayNothingOfTheServer(t *testing.T) {
	plan := Plan{Model: Models()[0], Arms: []Arm{{1, false}}, Rounds: 20, Between: 0.03}
	o := Experiments(plan, *count, seed+8)
	assert.Less(t, o.Covered, 0.85, o.String())
}

func TestAFivePercentDifferenceIsFound(t *testing.T) {
	o := Experiments(Plan{Model: Model{"independent", independent(0.03), 0}, Arms: []Arm{{1, true}, {0.95, false}}, Rounds: 20}, *count, seed+9)
	assert.Greater(t, o.Found, 0.9, o.String())
}
