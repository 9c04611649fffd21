package ratio

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

func TestParsesAShareOrATime(t *testing.T) {
	for text, want := range map[string]struct {
		distance Distance
		text     string
	}{
		"3%": {Share(0.03), "3%"}, "0.025": {Share(0.025), "2.5%"}, "0.25 %": {Share(0.0025), "0.25%"}, "0": {Share(0), "0%"},
		"0.1s": {Seconds(0.1), "0.1 s"}, "100ms": {Seconds(0.1), "0.1 s"}, "2 s": {Seconds(2), "2 s"}, "0s": {Seconds(0), "0 s"}, "12.5ms": {Seconds(0.0125), "0.0125 s"},
	} {
		distance, err := ParseDistance(text)
		require.NoError(t, err, text)
		assert.Equal(t, want.distance.Difference, distance.Difference, text)
		assert.InDelta(t, want.distance.Value, distance.Value, 1e-12, text)
		assert.Equal(t, want.text, distance.String(), text)
	}
	for _, text := range []string{"", "s", "ms", "-1s", "1m", "1us", "1e3s", ".5s", "NaNs", "3", "0x1s"} {
		_, err := ParseDistance(text)
		assert.ErrorContains(t, err, "use a share of at least 0% and less than 100%, as in 3%, or a time, as in 0.1s", text)
	}
}

func TestADistanceIsOnTheScaleOfItsEstimates(t *testing.T) {
	assert.InDelta(t, math.Log(1.03), Share(0.03).Scaled(), 1e-12)
	assert.InDelta(t, 0.1, Seconds(0.1).Scaled(), 1e-12)
	for _, d := range []Distance{Share(0.03), Seconds(0.1)} {
		back := Unscaled(d.Scaled(), d.Difference)
		assert.InDelta(t, d.Value, back.Value, 1e-12)
		assert.Equal(t, d.Difference, back.Difference)
	}
}

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
