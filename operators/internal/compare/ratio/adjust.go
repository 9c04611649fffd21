package ratio

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// MinAdjusted is the least number of rounds for an adjustment. With fewer, a slope is due to chance.
const MinAdjusted = 10

// Adjusted estimates a ratio from the log ratios of rounds of one installation and a covariate of each round, such as the machine's speed
// (analysis of covariance). The ratio is still the mean over the rounds. The spread that the covariate explains is left out of the
// interval, which then applies to the covariate's values in these rounds. The covariate must not come from the compared figures: shared
// noise would shrink the residuals wrongly.
//
// Adjusted returns OfLogs with fewer than MinAdjusted rounds, with a constant covariate, or if the covariate explains less than its degree
// of freedom costs. Taking the narrower of two intervals costs less than a percent of coverage, as a test shows.
func Adjusted(logs, covariate []float64) (e Estimate, adjusted bool) {
	if len(logs) != len(covariate) {
		panic(fmt.Sprintf("%d log ratios, and a covariate of %d rounds", len(logs), len(covariate)))
	}
	plain := OfLogs([][]float64{logs}, StudentT)
	if len(logs) < MinAdjusted || !plain.Known() || !(stat.StdDev(covariate, nil) > leastSpread) {
		return plain, false
	}
	n := float64(len(logs))
	standardError := math.Sqrt(squaredResiduals(logs, covariate) / (n - 2) / n)
	e = Estimate{Rounds: plain.Rounds, Installations: plain.Installations}.known(mean(logs), standardError, n-2, nil).at(1 - confidence)
	if !e.Known() || e.HalfWidth() >= plain.HalfWidth() {
		return plain, false
	}
	return e, true
}

// squaredResiduals returns the sum of the squared differences of log ratios from the line of least squares through the covariate.
func squaredResiduals(logs, covariate []float64) float64 {
	intercept, slope := stat.LinearRegression(covariate, logs, nil, false)
	residuals := make([]float64, len(logs))
	for i := range logs {
		residuals[i] = logs[i] - intercept - slope*covariate[i]
	}
	return floats.Dot(residuals, residuals)
}
