package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

func TestRatiosAreDrawnWhereTheyAreUnlessAnIntervalSaysNothing(t *testing.T) {
	none := math.NaN()
	for name, test := range map[string]struct {
		ratio, low, high float64
		reach            float64
	}{
		"a tenth is seen at least":              {1, 0.99, 1.01, 1.1},
		"the end of an interval":                {1.1, 0.5, 2.2, 2.2},
		"below one as above":                    {0.25, none, none, 4},
		"a ratio of hundreds, as at rest":       {259.5, none, none, 259.5},
		"an interval too wide to say anything":  {2, 0.0001, 40_000, 50},
		"a ratio that nothing else fits beside": {1e9, none, none, 1000},
		"a ratio to nothing":                    {math.Inf(1), none, none, 1.1},
	} {
		t.Run(name, func(t *testing.T) {
			comparison := compare.Comparison{Estimate: ratio.Estimate{Ratio: test.ratio, Low: test.low, High: test.high}}
			assert.InDelta(t, 1.08*math.Log(test.reach), forestReach([]compare.Comparison{comparison}), 1e-9)
		})
	}
}

func TestTicksOfRatiosAreWrittenOut(t *testing.T) {
	for at, want := range map[float64][]string{
		1.2:  {"0.909", "1", "1.1"},
		60:   {"0.02", "1", "50"},
		1500: {"0.001", "1", "1000"},
	} {
		comparison := compare.Comparison{Estimate: ratio.Estimate{Ratio: at, Low: math.NaN(), High: math.NaN()}}
		forest := newForest("", "", []compare.Comparison{comparison}, func(string) int { return 0 })
		var ticks []string
		for _, tick := range forest.Ticks {
			ticks = append(ticks, tick.Label)
		}
		assert.Equal(t, want, ticks)
	}
}
