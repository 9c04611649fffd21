package ratio

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat/distuv"
)

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
