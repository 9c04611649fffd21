package ratio

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Explained is how much of the spread of log ratios goes with a covariate.
type Explained struct {
	// InSample is the share of the variance that the line through all log ratios explains (R²). It never falls below 0, and chance alone gives
	// 1/(n-1) on average.
	InSample float64
	// CrossValidated is the share by which the mean squared error falls if each round is predicted from the line through all other rounds
	// instead of from their mean. It is negative where the slope is due to chance.
	CrossValidated float64
	// Slope is that of the line: above 0 if the ratio rises with the covariate.
	Slope float64
}

// Explain returns how much of log ratios a covariate explains. Both are grouped by round; a round has one log ratio, or one for each window.
// It returns false if there are fewer than MinRounds rounds, or if one of the two does not vary.
func Explain(logs, covariate [][]float64) (e Explained, known bool) {
	all, values := slices.Concat(logs...), slices.Concat(covariate...)
	if len(logs) < MinRounds || !(stat.StdDev(values, nil) > leastSpread) || !(stat.StdDev(all, nil) > leastSpread) {
		return Explained{}, false
	}
	whole := lineThrough(all, values)
	e = Explained{InSample: 1 - whole.squaredError(all, values)/flat(all).squaredError(all, values), Slope: whole.slope}
	with, without := 0.0, 0.0
	for i := range logs {
		others := slices.Concat(slices.Concat(logs[:i], logs[i+1:])...)
		theirs := slices.Concat(slices.Concat(covariate[:i], covariate[i+1:])...)
		with += lineThrough(others, theirs).squaredError(logs[i], covariate[i])
		without += flat(others).squaredError(logs[i], covariate[i])
	}
	e.CrossValidated = 1 - with/without
	return e, true
}

// line predicts log ratios from a covariate.
type line struct{ intercept, slope float64 }

// lineThrough returns the line of least squares; a flat one through a constant covariate.
func lineThrough(logs, covariate []float64) line {
	if !(stat.StdDev(covariate, nil) > leastSpread) {
		return flat(logs)
	}
	intercept, slope := stat.LinearRegression(covariate, logs, nil, false)
	return line{intercept, slope}
}

// flat returns the line that predicts the mean.
func flat(logs []float64) line { return line{intercept: mean(logs)} }

// squaredError returns the sum of the squared differences of log ratios from the line.
func (l line) squaredError(logs, covariate []float64) float64 {
	residuals := make([]float64, len(logs))
	for i := range logs {
		residuals[i] = logs[i] - l.intercept - l.slope*covariate[i]
	}
	return floats.Dot(residuals, residuals)
}
