package ratio

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// By hand: 1, 2, 3 have mean 2 and standard error 1/sqrt(3) = 0.577350; t(0.975, 2) = 4.302653, t(0.8, 2) = 1.060660.
func TestDifferencesAreEstimatedInTheirOwnUnit(t *testing.T) {
	e := OfLogs([][]float64{{1, 2, 3}}, Difference)
	assert.True(t, e.Difference)
	assert.InDelta(t, 2, e.Ratio, 1e-12)
	assert.InDelta(t, 2-4.302653*0.577350, e.Low, 1e-5)
	assert.InDelta(t, 2+4.302653*0.577350, e.High, 1e-5)
	assert.InDelta(t, (4.302653+1.060660)*0.577350, e.MDE, 1e-4)
	assert.InDelta(t, 4.302653*0.577350, e.HalfWidth(), 1e-5)
	assert.False(t, e.Differs(), "the interval holds 0, and of ratios it would lie on both sides of 1 as well")
	assert.True(t, OfLogs([][]float64{{0.1, 0.11, 0.12}}, Difference).Differs(), "below 1, and above 0")
}

func TestDifferencesOfSamplesAreThoseOfTheirMeans(t *testing.T) {
	e := Unpaired([][]float64{{0, 1, 2}}, [][]float64{{10, 11, 12}}, Difference)
	assert.InDelta(t, 10, e.Ratio, 1e-12, "a 0 has no logarithm, and needs none")
	assert.InDelta(t, 10-2.776445*math.Sqrt(2.0/3), e.Low, 1e-5)
}

func TestDifferencesAreJudgedByWhetherTheyAreZero(t *testing.T) {
	aa := Noise{"again", OfLogs([][]float64{{-0.5, 0.2, 0.6, -0.3}}, Difference)}
	quiet := Noise{"again", OfLogs([][]float64{{-0.02, 0.03, 0.01, -0.01}}, Difference)}
	differs := Noise{"again", OfLogs([][]float64{{0.02, 0.03, 0.02, 0.03}}, Difference)}
	for name, test := range map[string]struct {
		differences []float64
		arms        []Noise
		margin      Distance
		want        Verdict
		reason      string
	}{
		"more of what costs":           {[]float64{3, 3.2, 2.9, 3.1}, nil, Share(0.03), Slower, ""},
		"less of it":                   {[]float64{-3, -3.2, -2.9, -3.1}, nil, Share(0.03), Faster, ""},
		"beyond the noise":             {[]float64{3, 3.2, 2.9, 3.1}, []Noise{aa}, Share(0.03), Slower, ""},
		"within the noise":             {[]float64{0.3, 0.32, 0.29, 0.31}, []Noise{aa}, Share(0.03), Unresolved, "within the noise that the A/A arm shows, -0.7"},
		"now more, now less":           {[]float64{3, -3.2, 2.9, -3.1}, nil, Share(0.03), Unresolved, "the interval holds 0; a difference within -"},
		"so close that ratios were so": {[]float64{0.001, -0.001, 0.002, -0.002}, nil, Share(0.03), Unresolved, "the interval holds 0"},
		"within a margin":              {[]float64{0.04, -0.03, 0.02, -0.02}, nil, Seconds(0.1), Equivalent, ""},
		"not within half of it":        {[]float64{0.04, -0.03, 0.02, -0.02}, nil, Seconds(0.05), Unresolved, "the interval holds 0"},
		"an end beyond it":             {[]float64{0.09, 0.02, 0.07, -0.01}, nil, Seconds(0.1), Unresolved, "the interval holds 0"},
		"within, and different":        {[]float64{0.04, 0.05, 0.04, 0.05}, nil, Seconds(0.1), Slower, ""},
		"within, as the A/A arm is":    {[]float64{0.04, -0.03, 0.02, -0.02}, []Noise{quiet}, Seconds(0.1), Equivalent, ""},
		"within, but the A/A arm not":  {[]float64{0.04, -0.03, 0.02, -0.02}, []Noise{aa}, Seconds(0.1), Unresolved, "the interval holds 0"},
		"within, but the A/A differs":  {[]float64{0.04, -0.03, 0.02, -0.02}, []Noise{differs}, Seconds(0.1), Unresolved, "the A/A arm again"},
		"one round":                    {[]float64{3}, nil, Share(0.03), Unresolved, "1 round: an interval needs at least 3"},
		"the same in all":              {[]float64{0, 0, 0}, nil, Share(0.03), Unresolved, "no spread is no certainty"},
	} {
		t.Run(name, func(t *testing.T) {
			f := Judge(OfLogs([][]float64{test.differences}, Difference), Question{Margin: test.margin, Arms: test.arms})
			assert.Equal(t, test.want, f.Verdict)
			assert.Contains(t, f.Reason, test.reason)
		})
	}
}

func TestAFamilyOfDifferencesHoldsTheTruthIn95Of100Experiments(t *testing.T) {
	const experiments = 4000
	rng := rand.New(rand.NewPCG(17, 3))
	truths := []float64{0, 2, -5}
	held := 0
	for range experiments {
		family := make([]Estimate, len(truths))
		for i, truth := range truths {
			differences := make([]float64, 6)
			for j := range differences {
				differences[j] = truth + 3*rng.NormFloat64()
			}
			family[i] = OfLogs([][]float64{differences}, Difference)
		}
		all := true
		for i, e := range Simultaneous(family) {
			all = all && e.Low <= truths[i] && truths[i] <= e.High
		}
		if all {
			held++
		}
	}
	assert.InDelta(t, 0.955, float64(held)/experiments, 0.011)
}
