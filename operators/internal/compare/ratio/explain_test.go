package ratio

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Three rounds of two windows, with lines computed by hand.
func TestExplainsARoundFromTheOtherRounds(t *testing.T) {
	e, known := Explain([][]float64{{0, 2}, {0, 2}, {1, 3}}, [][]float64{{0, 1}, {0, 1}, {0, 1}})
	assert.True(t, known)
	assert.InDelta(t, 2, e.Slope, 1e-12)
	assert.InDelta(t, 1-(4.0/3)/(22.0/3), e.InSample, 1e-12)
	// The first two rounds are predicted as 0.5 and 2.5 instead of 1.5, the third as 0 and 2 instead of 1.
	assert.InDelta(t, 1-(4*0.25+2*1)/(2*(1.5*1.5+0.5*0.5)+0+4), e.CrossValidated, 1e-12)
}

func TestExplainsNothingWithoutRoundsOrChangeEnough(t *testing.T) {
	for name, test := range map[string]struct{ logs, covariate [][]float64 }{
		"two rounds":           {[][]float64{{1}, {2}}, [][]float64{{1}, {2}}},
		"a constant covariate": {[][]float64{{1}, {2}, {4}}, [][]float64{{7}, {7}, {7}}},
		"no spread":            {[][]float64{{1}, {1}, {1}}, [][]float64{{1}, {2}, {4}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, known := Explain(test.logs, test.covariate)
			assert.False(t, known)
		})
	}
	e, known := Explain([][]float64{{1}, {2}, {4}}, [][]float64{{5}, {5}, {6}})
	assert.True(t, known)
	assert.False(t, math.IsNaN(e.CrossValidated), "two rounds of the three have the same value")
}

// In sample, chance seems to explain something. In cross-validation it does harm, and what is planted is found.
func TestCrossValidationSeparatesWhatIsPlantedFromChance(t *testing.T) {
	const experiments, share, worthwhile = 2000, 0.5, 0.19 // which narrows an interval by a tenth
	for name, test := range map[string]struct{ rounds, windows int }{"8 rounds": {8, 1}, "8 rounds of 10 windows": {8, 10}, "20 rounds": {20, 1}} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 5))
			var planted, unrelated Explained
			byChance := 0
			for range experiments {
				logs, cause, other := make([][]float64, test.rounds), make([][]float64, test.rounds), make([][]float64, test.rounds)
				for i := range test.rounds {
					for range test.windows {
						x := rng.NormFloat64()
						cause[i] = append(cause[i], x)
						other[i] = append(other[i], rng.NormFloat64())
						logs[i] = append(logs[i], 1-math.Sqrt(share)*x+math.Sqrt(1-share)*rng.NormFloat64())
					}
				}
				found, _ := Explain(logs, cause)
				planted.InSample += found.InSample / experiments
				planted.CrossValidated += found.CrossValidated / experiments
				found, _ = Explain(logs, other)
				unrelated.InSample += found.InSample / experiments
				unrelated.CrossValidated += found.CrossValidated / experiments
				if found.CrossValidated > worthwhile {
					byChance++
				}
			}
			t.Logf("planted %.2f, cross-validated %.2f; unrelated %.3f, cross-validated %.3f, worthwhile in %.1f%%",
				planted.InSample, planted.CrossValidated, unrelated.InSample, unrelated.CrossValidated, 100*float64(byChance)/experiments)
			assert.InDelta(t, share, planted.InSample, 0.05)
			assert.Greater(t, planted.CrossValidated, 0.2)
			assert.InDelta(t, 1/float64(test.rounds*test.windows-1), unrelated.InSample, 0.01)
			assert.Less(t, unrelated.CrossValidated, 0.0)
		})
	}
}
