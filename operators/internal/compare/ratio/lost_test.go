package ratio

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLostRounds(t *testing.T) {
	noise := func(n int) []float64 { return alternating(n, 0.1, 0.01) }
	whole := OfLogs([][]float64{noise(12)}, StudentT)
	for name, test := range map[string]struct {
		sample Sample
		why    string // unknown
	}{
		"none":                            {Sample{[][]float64{noise(12)}, []int{0}}, ""},
		"one of 12":                       {Sample{[][]float64{noise(11)}, []int{1}}, ""},
		"one of ten":                      {Sample{[][]float64{noise(9)}, []int{1}}, ""},
		"one of nine":                     {Sample{[][]float64{noise(8)}, []int{1}}, "1 of 9 rounds are lost"},
		"two of 12":                       {Sample{[][]float64{noise(10)}, []int{2}}, "2 of 12 rounds are lost"},
		"all":                             {Sample{[][]float64{nil}, []int{12}}, "0 rounds: an interval needs at least 3"},
		"an installation of several":      {Sample{[][]float64{noise(6), nil, alternating(6, 0.11, 0.01), alternating(6, 0.13, 0.01)}, []int{0, 1, 0, 0}}, ""},
		"an installation of two":          {Sample{[][]float64{noise(12), nil}, []int{0, 1}}, "1 round: an interval needs at least 3"},
		"some of an installation of many": {Sample{[][]float64{noise(6), alternating(4, 0.12, 0.01), alternating(6, 0.11, 0.01), alternating(6, 0.13, 0.01)}, []int{0, 2, 0, 0}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := Of(test.sample, StudentT)
			assert.Equal(t, test.why, e.Unknown)
			assert.Equal(t, test.why == "", e.Known())
			lost, _ := test.sample.lost()
			if test.why == "" && len(test.sample.Figures) == 1 {
				assert.Equal(t, lost > 0, e.HalfWidth() > whole.HalfWidth()*1.2, "both extremes are in the interval")
				assert.InDelta(t, math.Log(e.Ratio), (math.Log(e.Low)+math.Log(e.High))/2, 0.01)
			}
		})
	}
}

// By hand: the mean of eleven figures around 0.1 is 0.1, the farthest is 0.01 away, so the lost one is assumed at 0.08 and at 0.12.
func TestLostRound_isAssumedTwiceAsFarAsAnyOther(t *testing.T) {
	logs := append(alternating(10, 0.1, 0.01), 0.1)
	e := Of(Sample{[][]float64{logs}, []int{1}}, StudentT)
	low, high := OfLogs([][]float64{append(slices.Clone(logs), 0.08)}, StudentT), OfLogs([][]float64{append(slices.Clone(logs), 0.12)}, StudentT)
	assert.InDelta(t, low.Low, e.Low, 1e-9)
	assert.InDelta(t, high.High, e.High, 1e-9)
	assert.InDelta(t, 0.1, math.Log(e.Ratio), 1e-9, "the ratio is that of the rounds that are there")
	assert.Equal(t, 11, e.Rounds)
	assert.InDelta(t, max(low.MDE, high.MDE), e.MDE, 1e-9)
	assert.InDelta(t, max(low.p(), high.p()), e.p(), 1e-9)

	x := Between(Sample{[][]float64{alternating(12, 0, 0.01)}, []int{0}}, Sample{[][]float64{logs}, []int{1}}, StudentT)
	assert.Less(t, x.Low, Between(Sample{Figures: [][]float64{alternating(12, 0, 0.01)}}, Sample{Figures: [][]float64{logs}}, StudentT).Low)
	assert.Equal(t, "2 of 12 rounds are lost", Between(Sample{Figures: [][]float64{logs}}, Sample{[][]float64{logs[:10]}, []int{2}}, StudentT).Unknown)
}
