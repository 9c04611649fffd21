package ratio

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// MinAdjusted is how many rounds an adjustment needs: of fewer, a slope is luck.
const MinAdjusted = 10

// Adjusted estimates a ratio from the log ratios of rounds of one installation and what else was known of each round, such as the machine's
// speed (analysis of covariance). The ratio stays the mean of the rounds'; what of their spread goes with the covariate is no uncertainty about
// the rounds that there were, and leaves the interval, which then speaks of the values that the covariate had in them. It must come from
// elsewhere than the figures that are compared: with noise in common, residuals shrink that should not. Of fewer than MinAdjusted rounds,
// with a covariate that did not change, or where it explains less than its degree of freedom costs, it is OfLogs. (That the narrower of two
// intervals is taken costs less than a percent of coverage: see the test.)
func Adjusted(logs, covariate []float64) (e Estimate, adjusted bool) {
	if len(logs) != len(covariate) {
		panic(fmt.Sprintf("%d log ratios, and a covariate of %d rounds", len(logs), len(covariate)))
	}
	plain := OfLogs([][]float64{logs}, StudentT)
	if len(logs) < MinAdjusted || !plain.Known() || !(stat.StdDev(covariate, nil) > leastSpread) {
		return plain, false
	}
	intercept, slope := stat.LinearRegression(covariate, logs, nil, false)
	residuals := make([]float64, len(logs))
	for i := range logs {
		residuals[i] = logs[i] - intercept - slope*covariate[i]
	}
	n := float64(len(logs))
	standardError := math.Sqrt(floats.Dot(residuals, residuals) / (n - 2) / n)
	e = Estimate{Rounds: plain.Rounds, Installations: plain.Installations}.known(mean(logs), standardError, n-2, nil).at(1 - confidence)
	if !e.Known() || e.HalfWidth() >= plain.HalfWidth() {
		return plain, false
	}
	return e, true
}
