package ratio

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestAdjustmentTakesOutOfTheIntervalWhatGoesWithTheCovariate(t *testing.T) {
	logs, speed := make([]float64, 12), make([]float64, 12)
	for i := range logs {
		speed[i] = float64(i%4) / 10
		logs[i] = 1 - 0.5*speed[i] + 0.01*float64(i%3-1)
	}
	plain := OfLogs([][]float64{logs}, StudentT)
	e, adjusted := Adjusted(logs, speed)
	assert.True(t, adjusted)
	assert.InDelta(t, plain.Ratio, e.Ratio, 1e-12, "the ratio is the rounds' mean all the same")
	assert.InDelta(t, 0.01*math.Sqrt(2.0/3)*math.Sqrt(12.0/10)/math.Sqrt(12)*2.228, e.HalfWidth(), 2e-5, "Student's t of 10 degrees of freedom times the residuals' error")
	assert.Less(t, e.HalfWidth(), plain.HalfWidth()/5)
	assert.Equal(t, 12, e.Rounds)
}

func TestAdjustsNothingWithoutRoundsOrChangeEnough(t *testing.T) {
	logs := []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}
	for name, test := range map[string]struct{ logs, speed []float64 }{
		"few rounds":       {logs[:MinAdjusted-1], []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		"of no use":        {[]float64{1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2, 1}, logs},
		"a steady machine": {logs, make([]float64, len(logs))},
		"no spread":        {make([]float64, len(logs)), logs},
	} {
		t.Run(name, func(t *testing.T) {
			e, adjusted := Adjusted(test.logs, test.speed)
			assert.False(t, adjusted)
			plain := OfLogs([][]float64{test.logs}, StudentT)
			assert.Equal(t, plain.Ratio, e.Ratio)
			assert.Equal(t, plain.Known(), e.Known())
		})
	}
}

// Rounds on a machine with varying speed, for a server whose time has a fixed part besides the part that scales with the speed, or has
// none. The truth is the mean, over the speeds of the rounds, of the ratio without noise.
func TestAdjustedIntervalsHoldTheTruthOfTheSpeedsThatThereWere(t *testing.T) {
	const experiments, rounds, others, noise, family = 2000, 14, 5, 0.03, 5
	for name, test := range map[string]struct {
		fixed, memory, speeds float64
		least, most           float64
	}{
		"all goes with the speed":          {0, 0, 0.15, 0.93, 0.97},
		"a machine of one speed":           {0, 0, 0, 0.93, 0.97},
		"a small fixed part":               {0.1, 0.5, 0.15, 0.93, 0.97},
		"a fixed part":                     {3, 0, 0.15, 0.93, 0.97},
		"a fixed part, speeds that linger": {3, 0.8, 0.15, 0.93, 0.97},
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 11))
			held, heldCorrected, widths, plainWidths := 0, 0, 0.0, 0.0
			for range experiments {
				logs, speed := make([]float64, rounds), make([]float64, rounds)
				level, truth := test.speeds*rng.NormFloat64(), 0.0
				for i := range logs {
					level = test.memory*level + math.Sqrt(1-test.memory*test.memory)*test.speeds*rng.NormFloat64()
					expected := math.Log(test.fixed+math.Exp(level)) - level
					truth += expected / rounds
					logs[i] = expected + noise*(rng.NormFloat64()-rng.NormFloat64())
					for range others {
						speed[i] += (level + noise*rng.NormFloat64()) / others
					}
				}
				e, _ := Adjusted(logs, speed)
				if e.Low <= math.Exp(truth) && math.Exp(truth) <= e.High {
					held++
				}
				if c := e.at(0.05 / family); c.Low <= math.Exp(truth) && math.Exp(truth) <= c.High {
					heldCorrected++
				}
				widths += e.HalfWidth() / experiments
				plainWidths += OfLogs([][]float64{logs}, StudentT).HalfWidth() / experiments
			}
			coverage := float64(held) / experiments
			corrected := float64(heldCorrected) / experiments
			t.Logf("held in %.1f%%, corrected for %d servers in %.1f%%, half-width %.3f, without adjustment %.3f", 100*coverage, family, 100*corrected, widths, plainWidths)
			assert.InDelta(t, 1-0.05/family, corrected, 0.006, "as verdicts have it")
			assert.GreaterOrEqual(t, coverage, test.least)
			assert.LessOrEqual(t, coverage, test.most)
			if test.fixed > 1 {
				assert.Less(t, widths, 0.6*plainWidths)
			}
		})
	}
}

// alternating returns n log ratios around the center.
func alternating(n int, center, deviation float64) []float64 {
	logs := make([]float64, n)
	for i := range logs {
		logs[i] = center + deviation*float64(1-2*(i%2))
	}
	return logs
}

// farAs returns an estimate from ten rounds whose mean is t standard errors from 0.
func farAs(t float64) Estimate {
	e := OfLogs([][]float64{alternating(10, 0, 0.05)}, StudentT)
	return Estimate{Rounds: 10}.known(t*e.spread.standardError, e.spread.standardError, 9, nil).at(1 - confidence)
}

// With 9 degrees of freedom: t(0.975) = 2.262; corrected for two 2.685, for three 2.933.
func TestHolmsTestsFindMoreThanBonferronisAndTheIntervalsAgree(t *testing.T) {
	for name, test := range map[string]struct {
		far   []float64
		found []bool
	}{
		"alone":                           {[]float64{2.3}, []bool{true}},
		"one of three is far":             {[]float64{3, 1, -1}, []bool{true, false, false}},
		"one of three is not far enough":  {[]float64{2.9, 1, -1}, []bool{false, false, false}},
		"the second, since the first is":  {[]float64{-2.7, 0, 3}, []bool{true, false, true}},
		"the third, since all before are": {[]float64{2.3, -3, 2.7}, []bool{true, true, true}},
		"none, since the first is not":    {[]float64{2.3, 2.8, 2.7}, []bool{false, false, false}},
	} {
		t.Run(name, func(t *testing.T) {
			var family []Estimate
			for _, far := range test.far {
				family = append(family, farAs(far))
			}
			for i, e := range Simultaneous(family) {
				assert.Equal(t, test.found[i], e.Differs(), "%d: %v to %v", i, e.Low, e.High)
				assert.Equal(t, test.found[i] && test.far[i] > 0, e.Low >= 1)
				assert.LessOrEqual(t, e.Low, e.Ratio)
				assert.GreaterOrEqual(t, e.High, e.Ratio)
			}
		})
	}
}

func TestAFamilysIntervalsAreBonferronis(t *testing.T) {
	family := Simultaneous([]Estimate{farAs(10), farAs(0), {Ratio: 2, Low: math.NaN()}, farAs(1)})
	critical := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 9}.Quantile(1 - 0.05/3/2)
	assert.InDelta(t, critical*farAs(0).spread.standardError, family[1].HalfWidth(), 1e-9, "one of four is not known, and no test")
	assert.InDelta(t, family[1].HalfWidth(), family[0].HalfWidth(), 1e-9)
	assert.Greater(t, family[0].MDE, farAs(10).MDE, "less is seen among several")
	assert.False(t, family[2].Known())
}

// Three installations whose rounds agree within each installation but not between installations: only their means count.
func TestInstallationsAreTheUnitFromThreeOn(t *testing.T) {
	e := OfLogs([][]float64{alternating(4, 0.1, 0.001), alternating(20, 0.2, 0.001), alternating(4, 0.3, 0.001)}, StudentT)
	assert.InDelta(t, 0.2, math.Log(e.Ratio), 1e-9, "each counts once, however many rounds it has")
	critical := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 2}.Quantile(0.975)
	assert.InDelta(t, critical*0.1/math.Sqrt(3), e.HalfWidth(), 1e-9)
	assert.Equal(t, []int{28, 3}, []int{e.Rounds, e.Installations})
	assert.True(t, e.SpansInstallations())
}

// By hand: the variances of the means are 0.01^2*4/3/4 and 0.02^2*4/3/4, that of their mean a quarter of the sum, and Satterthwaite's
// degrees of freedom 4.41.
func TestTwoInstallationsAreTakenAsTheyAre(t *testing.T) {
	e := OfLogs([][]float64{alternating(4, 0.1, 0.01), alternating(4, 0.3, 0.02), nil}, StudentT)
	assert.InDelta(t, 0.2, math.Log(e.Ratio), 1e-9)
	assert.InDelta(t, math.Sqrt((0.0001+0.0004)/3/4), e.spread.standardError, 1e-9)
	assert.InDelta(t, 4.41, e.spread.freedom, 0.01)
	assert.Equal(t, 2, e.Installations)
	assert.False(t, e.SpansInstallations())
	few := OfLogs([][]float64{alternating(4, 0.1, 0.01), {0.1, 0.2}}, StudentT)
	assert.Contains(t, few.Unknown, "2 rounds: an interval needs at least 3")
}

func TestNoRoundsAreNoEstimate(t *testing.T) {
	e := OfLogs([][]float64{nil, {}}, Bootstrap)
	assert.False(t, e.Known())
	assert.True(t, math.IsNaN(e.Ratio))
	assert.Contains(t, e.Unknown, "0 rounds")
}

func TestTheBootstrapIsTheSameEveryTimeAndLeansWhereTheRoundsDo(t *testing.T) {
	skewed := []float64{0, 0.01, -0.01, 0.02, 0.01, -0.02, 0, 0.01, 0.6, 0.02, -0.01, 0.3}
	e, again := OfLogs([][]float64{skewed}, Bootstrap), OfLogs([][]float64{skewed}, Bootstrap)
	assert.Equal(t, []float64{e.Low, e.High}, []float64{again.Low, again.High})
	plain := OfLogs([][]float64{skewed}, StudentT)
	assert.InDelta(t, plain.Ratio, e.Ratio, 1e-12)
	assert.InDelta(t, plain.Low, e.Low, 1e-12, "nothing is far off below")
	assert.Greater(t, e.High, 1.05*plain.High, "more rounds such as the two far ones could come")
	assert.Greater(t, e.MDE, plain.MDE)
	assert.Less(t, e.p(), 1.0)
	few := skewed[:MinBootstrap-1]
	assert.InDelta(t, OfLogs([][]float64{few}, StudentT).High, OfLogs([][]float64{few}, Bootstrap).High, 0, "too few rounds to draw from")
}
