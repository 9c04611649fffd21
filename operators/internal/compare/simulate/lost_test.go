package simulate

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// beyond is the smallest difference that is not within the margin.
var beyond = math.Nextafter(0.1, 1)

// lost returns experiments of one fault, whose servers are equivalent within 0.1 s.
func lost(model Model, rounds int, arms ...Arm) Plan {
	return Plan{Model: model, Method: ratio.Difference, Arms: arms, Rounds: rounds, Margin: ratio.Seconds(0.1)}
}

// leastSkewed is the least share of families of several servers whose intervals hold the truth: one server costs six times as much as the
// baseline, and exponentially distributed differences of twelve rounds are too few for the far quantiles of a correction.
const leastSkewed = 0.91

// checkLost is check, but families of several servers may be covered more often or less often.
func checkLost(t *testing.T, name string, plan Plan, count int, seed uint64) {
	t.Helper()
	o := Experiments(plan, count, seed)
	t.Logf("%s: %s", name, o)
	slack, least := slack(count), leastCovered
	if len(plan.Arms) > 2 {
		least = leastSkewed
	}
	assert.GreaterOrEqual(t, o.Covered, least-slack, "%s: intervals that hold the truth", name)
	if len(plan.Arms) < 3 {
		assert.LessOrEqual(t, o.Covered, mostCovered+slack, "%s: intervals that hold the truth", name)
	}
	assert.LessOrEqual(t, o.AADiffers, 1-leastCovered+slack, "%s: A/A arms that differ", name)
	assert.LessOrEqual(t, o.CalledDifferent, mostDifferent+slack, "%s: equal servers called different", name)
	assert.LessOrEqual(t, o.Wrong, mostDifferent+slack, "%s: verdicts that are not true, such as equivalent beyond the margin", name)
}

func TestIntervalsOfSecondsLostHoldTheTruth(t *testing.T) {
	for _, model := range LostModels() {
		checkLost(t, model.Name+", equal", lost(model, 12, Arm{0, true}, Arm{0, false}), fewer(), seed+20)
		checkLost(t, model.Name+", three servers", lost(model, 12, Arm{0, true}, Arm{0, false}, Arm{beyond, false}, Arm{0.5, false}), fewer(), seed+21)
	}
}

// Without an A/A arm, only the interval prevents a false verdict.
func TestSecondsBeyondTheMarginAreNotCalledEquivalent(t *testing.T) {
	for _, model := range LostModels() {
		checkLost(t, model.Name+", more", lost(model, 24, Arm{beyond, false}), fewer(), seed+22)
		if model.Mean == 0 || model.Mean > beyond { // a server cannot lose less than nothing
			checkLost(t, model.Name+", less", lost(model, 24, Arm{-beyond, false}), fewer(), seed+23)
		}
	}
}

func TestIntervalsOfSecondsLostHoldTheTruthInRunsThatStopByThemselves(t *testing.T) {
	for _, model := range LostModels() {
		plan := lost(model, 40, Arm{0, true}, Arm{beyond, false})
		plan.Stop = &precision.Rule{Precision: 0.03, Phases: map[string]ratio.Distance{"": ratio.Seconds(0.07)}, Budget: time.Hour}
		checkLost(t, model.Name, plan, fewer(), seed+24)
	}
}

// What most rounds do not have is missing in many runs, and no interval of their rounds contains it.
func TestIntervalsDoNotHoldOutagesThatFewRoundsHave(t *testing.T) {
	o := Experiments(lost(RareOutages(), 12, Arm{-beyond, false}), fewer(), seed+25)
	t.Log(o)
	assert.Less(t, o.Covered, 0.9+slack(fewer()), o.String())
}
