package ratio

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Paired estimates the ratio of values to bases of one installation, paired by index.
func Paired(bases, values []float64) Estimate {
	logs := make([]float64, len(bases))
	for i := range bases {
		logs[i] = math.Log(values[i] / bases[i])
	}
	return OfLogs([][]float64{logs}, StudentT)
}

// Hand-checked: logs of the ratios 1.1, 1.2, 1.3 have mean 0.180000, standard deviation 0.083594, standard error 0.048263;
// t(0.975, 2) = 4.302653, t(0.8, 2) = 1.060660.
func TestEstimatesPairedRatiosOnTheLogScale(t *testing.T) {
	e := Paired([]float64{100, 200, 50}, []float64{110, 240, 65})
	assert.InDelta(t, math.Cbrt(1.1*1.2*1.3), e.Ratio, 1e-12)
	assert.InDelta(t, 0.9726, e.Low, 5e-4)
	assert.InDelta(t, 1.4735, e.High, 5e-4)
	assert.InDelta(t, 1.2954, e.MDE, 5e-4)
	assert.Equal(t, 3, e.Rounds)
}

func TestPairingTakesOutWhatARoundHasInCommon(t *testing.T) {
	bases, values := []float64{100, 10, 1000, 1}, []float64{110, 11.01, 1099, 1.1}
	paired := Paired(bases, values)
	assert.InDelta(t, 1.1, paired.Ratio, 1e-4)
	assert.InDelta(t, 1.1, paired.Low, 2e-3, "every round says about the same")
	assert.InDelta(t, 1.1, paired.High, 2e-3)
	assert.Less(t, Unpaired([][]float64{bases}, [][]float64{values}, StudentT).Low, 0.01, "unpaired, the rounds' own ups and downs hide it")
}

// Welch by hand: logs of 1, 2, 4 and of 2, 4, 8 are ln 2 apart, variance (ln 2)^2 each, standard error ln 2 * sqrt(2/3),
// 4 degrees of freedom, t(0.975, 4) = 2.776445.
func TestEstimatesUnpairedRatiosByWelch(t *testing.T) {
	e := Unpaired([][]float64{{1, 2, 4}}, [][]float64{{2, 4, 8}}, StudentT)
	half := 2.776445 * math.Ln2 * math.Sqrt(2.0/3)
	assert.InDelta(t, 2, e.Ratio, 1e-12)
	assert.InDelta(t, math.Exp(math.Ln2-half), e.Low, 1e-5)
	assert.InDelta(t, math.Exp(math.Ln2+half), e.High, 1e-4)
}

// Within each installation all rounds agree, so only the differences between installations remain, as in Welch's example above.
func TestUnpairedInstallationsAreTheUnitFromThreeOn(t *testing.T) {
	e := Unpaired([][]float64{{1, 1}, {2, 2, 2}, {4, 4}}, [][]float64{{2, 2}, {4, 4}, {8, 8}}, StudentT)
	assert.InDelta(t, Unpaired([][]float64{{1, 2, 4}}, [][]float64{{2, 4, 8}}, StudentT).High, e.High, 1e-9)
	assert.Equal(t, []int{6, 3}, []int{e.Rounds, e.Installations})
}

func TestDoesNotClaimToKnowTheSpreadOfTwoRounds(t *testing.T) {
	e := Paired([]float64{100, 100}, []float64{121, 100})
	assert.InDelta(t, 1.1, e.Ratio, 1e-12)
	assert.False(t, e.Known())
	assert.True(t, math.IsNaN(e.High) && math.IsNaN(e.MDE))
}

// Equal figures in every round come from a stopped clock, or a figure counted several times. They do not show certainty.
func TestNoSpreadIsNoCertainty(t *testing.T) {
	for name, e := range map[string]Estimate{
		"paired":            Paired([]float64{100, 200, 50}, []float64{110, 220, 55}),
		"unpaired":          Unpaired([][]float64{{100, 100, 100}}, [][]float64{{110, 110, 110}}, StudentT),
		"bootstrapped":      OfLogs([][]float64{{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}, Bootstrap),
		"two installations": OfLogs([][]float64{{1, 1, 1}, {1, 1, 1}}, StudentT),
	} {
		assert.False(t, e.Known(), name)
		assert.False(t, e.Differs(), name)
		assert.Contains(t, e.Unknown, "no spread is no certainty", name)
		assert.Equal(t, Unresolved, Judge(e, Question{HigherIsBetter: true, Margin: Share(0.5)}).Verdict, name)
	}
}

// simulate draws two servers with independent noise, in rounds with common variation (shared within a round, or separate), and counts.
func simulate(seed uint64, n int, truth, noise float64, shared bool, estimate func(bases, values []float64) Estimate) (covered, resolved float64) {
	const experiments = 4000
	rng := rand.New(rand.NewPCG(seed, 11))
	for range experiments {
		bases, values := make([]float64, n), make([]float64, n)
		for i := range n {
			round := math.Exp(0.3 * rng.NormFloat64())
			bases[i] = 5000 * round * math.Exp(noise*rng.NormFloat64())
			if !shared {
				round = math.Exp(0.3 * rng.NormFloat64())
			}
			values[i] = 5000 * truth * round * math.Exp(noise*rng.NormFloat64())
		}
		e := estimate(bases, values)
		if e.Low <= truth && truth <= e.High {
			covered++
		}
		if e.Low > 1 || e.High < 1 {
			resolved++
		}
	}
	return covered / experiments, resolved / experiments
}

// The standard error of a proportion near 0.95 over 4000 experiments is 0.0034: the bounds are about three of them.
func TestIntervalsHoldTheTruthIn95Of100Experiments(t *testing.T) {
	for _, n := range []int{3, 5, 10, 20} {
		for _, truth := range []float64{0.78, 1, 1.22} {
			covered, _ := simulate(uint64(n), n, truth, 0.05, true, Paired)
			assert.InDelta(t, 0.95, covered, 0.011, "paired, %d rounds, truth %v", n, truth)
		}
	}
	covered, _ := simulate(99, 8, 1.1, 0.05, false, func(bases, values []float64) Estimate {
		return Unpaired([][]float64{bases}, [][]float64{values}, StudentT)
	})
	assert.InDelta(t, 0.95, covered, 0.011, "unpaired")
}

func TestEqualServersSeemToDifferInOneOfTwentyExperiments(t *testing.T) {
	_, resolved := simulate(5, 10, 1, 0.05, true, Paired)
	assert.InDelta(t, 0.05, resolved, 0.011)
}

// With known noise, the minimum detectable effect of the formula is detected in about 80 of 100 experiments.
func TestAnEffectOfTheMinimumDetectableSizeIsSeenWithItsPower(t *testing.T) {
	const n, noise = 10, 0.05
	standardError := noise * math.Sqrt2 / math.Sqrt(n)
	mde := Estimate{Rounds: n}.known(0, standardError, n-1, nil).at(1 - confidence).MDE
	_, resolved := simulate(6, n, mde, noise, true, Paired)
	assert.InDelta(t, power, resolved, 0.04)
}
