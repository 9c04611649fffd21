package ratio

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPiecesReplicateWhereRoundsDifferNoMoreThanTheyLetExpect(t *testing.T) {
	for name, c := range map[string]struct {
		rounds [][]float64
		want   bool
	}{
		"rounds alike":                {[][]float64{{0.1, -0.1, 0.02}, {-0.1, 0.12, 0}, {0.05, -0.08, 0.01}}, true},
		"rounds of their own":         {[][]float64{{0.1, 0.11, 0.12}, {-0.1, -0.12, -0.11}, {0.01, 0, -0.01}}, false},
		"nothing within, but between": {[][]float64{{0.1, 0.1}, {0.2, 0.2}}, false},
		"no spread at all":            {[][]float64{{0.1, 0.1}, {0.1, 0.1}}, true},
		"one round":                   {[][]float64{{0.1, 0.2}}, false},
		"rounds of one piece":         {[][]float64{{0.1}, {0.2}, {0.3}}, false},
		"a round that counts once":    {[][]float64{{0.1, -0.1}, {0.02}, {-0.1, 0.1}}, true},
		"none":                        {nil, false},
	} {
		assert.Equal(t, c.want, Replicate(c.rounds), name)
	}
}

// Choosing between pieces and rounds must not reduce the coverage of the interval, whether the rounds' own effect is large, small or zero.
// With pieces alone, coverage falls as the effect grows.
func TestTheChoiceBetweenPiecesAndRoundsKeepsTheInterval(t *testing.T) {
	const experiments, rounds, pieces = 4000, 13, 4
	random := rand.New(rand.NewPCG(1, 2))
	for _, own := range []float64{0, 0.3, 0.6, 1, 2} { // the rounds' own variance, in units of that of a piece's mean
		held, pooled := 0, 0
		for range experiments {
			var groups [][]float64
			var one, all []float64
			for range rounds {
				level := math.Sqrt(own/pieces) * random.NormFloat64()
				var group []float64
				for range pieces {
					group = append(group, level+random.NormFloat64())
				}
				groups, one, all = append(groups, group), append(one, mean(group)), append(all, group...)
			}
			units := one
			if Replicate(groups) {
				units, pooled = all, pooled+1
			}
			if e := OfLogs([][]float64{units}, StudentT); e.Low <= 1 && e.High >= 1 {
				held++
			}
		}
		coverage := float64(held) / experiments
		t.Logf("rounds' own variance %.1f: covers %.3f, pieces in %.2f", own, coverage, float64(pooled)/experiments)
		assert.InDelta(t, 0.95, coverage, 0.02, fmt.Sprint(own))
	}
}
