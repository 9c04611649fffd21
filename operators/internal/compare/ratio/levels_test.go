package ratio

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat/distuv"
)

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
