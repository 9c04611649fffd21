package history

import (
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

const (
	coverageRuns = 24
	coverageAt   = 12
	spread       = 0.01
)

// covered simulates series with a change of so many standard deviations in their middle. Of those in which one change is found, it returns
// how many there are, in how many the interval contains the change that was planted, and in how many it contains 1.
func covered(rng *rand.Rand, series int, deviations float64) (found, contains, equal int) {
	for range series {
		s := Series{Metric: compare.Metric{Name: "op_rate", HigherIsBetter: true}}
		for run, value := range normal(rng, coverageRuns, spread) {
			if run >= coverageAt {
				value -= deviations * spread
			}
			s.Points = append(s.Points, Point{Run: run, Value: math.Exp(value)})
		}
		s.find(level)
		if len(s.Changes) != 1 {
			continue
		}
		found++
		c := &s.Changes[0]
		if truth := math.Exp(-deviations * spread); c.Low <= truth && truth <= c.High {
			contains++
		}
		if c.Low <= 1 && 1 <= c.High {
			equal++
		}
	}
	return found, contains, equal
}

// The place of a change is chosen where the parts differ most, and only a change that is significant has an interval. Both let it look larger
// than it is, the more the smaller it is. The guide has the figures.
func TestTheGuideStatesHowOftenIntervalsContainTheChange(t *testing.T) {
	series := 300
	if testing.Short() {
		series = 100
	}
	rows := regexp.MustCompile(`(?m)^\| (\d+(?:\.\d+)?) \| (\d+)% \| (\d+)% \|$`).FindAllStringSubmatch(guide(t), -1)
	require.Len(t, rows, 4)
	rng := rand.New(rand.NewPCG(7, 7))
	for _, row := range rows {
		deviations, err := strconv.ParseFloat(row[1], 64)
		require.NoError(t, err)
		found, contains, _ := covered(rng, series, deviations)
		t.Logf("%g standard deviations: found in %d of %d, contained in %d of these", deviations, found, series, contains)
		for i, got := range []struct{ n, of int }{{found, series}, {contains, found}} {
			stated, err := strconv.ParseFloat(row[2+i], 64)
			require.NoError(t, err)
			share := stated / 100
			require.NotZero(t, got.of)
			allowed := 3*math.Sqrt(share*(1-share)/float64(got.of)) + 0.01
			assert.InDelta(t, share, float64(got.n)/float64(got.of), allowed, "%g standard deviations, column %d", deviations, 2+i)
		}
	}
}

func TestAFalseChangeLooksLikeARealOne(t *testing.T) {
	found, _, equal := covered(rand.New(rand.NewPCG(8, 8)), 1500, 0)
	t.Logf("%d changes in 1500 series of equal runs, and %d of their intervals contain 1", found, equal)
	require.Positive(t, found)
	assert.LessOrEqual(t, float64(found), 1500*level+3*math.Sqrt(1500*level), "the level bounds them, not the interval")
}

// Steps are found one by one, each below the threshold of 3%, and the latest runs are compared with those before all of them. Without a change, and
// after one that was undone, this adds no alarm to those that the level allows.
func TestCreepingRegressionsAreFoundWithoutMoreFalseAlarms(t *testing.T) {
	const share = 0.03
	for _, test := range []struct {
		name          string
		steps         []float64
		series        int
		least, atMost float64
		threshold     float64
	}{
		{"four steps of 2.5%", []float64{0, -0.025, -0.05, -0.075, -0.1}, 30, 0.95, 1, share},
		{"no change", []float64{0, 0}, 600, 0, level, 0},
		{"undone", []float64{0, -0.1, 0}, 60, 0, level, share},
	} {
		rng, alarms := rand.New(rand.NewPCG(9, 9)), 0
		for range test.series {
			s := Series{Metric: compare.Metric{HigherIsBetter: true}}
			for _, step := range test.steps {
				for _, value := range normal(rng, 12, spread) {
					s.Points = append(s.Points, Point{Run: len(s.Points), Value: math.Exp(step + value)})
				}
			}
			s.find(level)
			if slices.ContainsFunc(s.Changes, func(c Change) bool { return s.Stands(&c, ratio.Slower, test.threshold) }) {
				alarms++
			}
		}
		t.Logf("%s: %d alarms in %d series", test.name, alarms, test.series)
		n := float64(test.series)
		assert.GreaterOrEqual(t, float64(alarms), test.least*n, test.name)
		assert.LessOrEqual(t, float64(alarms), test.atMost*n+3*math.Sqrt(n*test.atMost*(1-test.atMost)), test.name)
	}
}

func guide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/guides/history.md")
	require.NoError(t, err)
	return string(text)
}
