package ratio

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
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
