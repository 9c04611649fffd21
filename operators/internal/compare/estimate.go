// Package compare says whether one server is faster than another, and how sure that is. The unit of replication is the
// round: whatever happened within a round (several repeats on one store, thousands of operations) counts once.
//
// Figures are compared as ratios on a logarithmic scale, where a server that is half as fast and one that is twice as fast
// are equally far from 1. Servers of one run are compared in pairs within each round, so that what slows a whole round down
// slows both; runs are compared as two independent samples (Welch).
package compare

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// MinRounds below which the spread between rounds is not known well enough to say anything.
const MinRounds = 3

const (
	// confidence of the intervals.
	confidence = 0.95
	// power with which an effect of the minimum detectable size would have been seen.
	power = 0.80
)

// Estimate of a ratio.
type Estimate struct {
	// Ratio is the geometric mean.
	Ratio float64
	// Low and High bound the 95% confidence interval; both are NaN when there are too few rounds.
	Low, High float64
	// MDE is the smallest ratio above 1 (its inverse below) that these rounds would have shown with 80% power; NaN likewise.
	MDE float64
	// Rounds it rests on: pairs, or the smaller of two samples.
	Rounds int
}

// Paired estimates the ratio of values to bases, which belong together by index. All are positive.
func Paired(bases, values []float64) Estimate {
	logs := make([]float64, len(bases))
	for i := range bases {
		logs[i] = math.Log(values[i] / bases[i])
	}
	n := len(logs)
	if n < MinRounds {
		return unknownSpread(mean(logs), n)
	}
	center, deviation := stat.MeanStdDev(logs, nil)
	return interval(center, deviation/math.Sqrt(float64(n)), float64(n-1), n)
}

// Unpaired estimates the ratio of values to bases as two independent samples.
func Unpaired(bases, values []float64) Estimate {
	a, b := logsOf(bases), logsOf(values)
	n := min(len(a), len(b))
	if n < MinRounds {
		return unknownSpread(mean(b)-mean(a), n)
	}
	meanA, varianceA := stat.MeanVariance(a, nil)
	meanB, varianceB := stat.MeanVariance(b, nil)
	partA, partB := varianceA/float64(len(a)), varianceB/float64(len(b))
	freedom := float64(n - 1)
	if partA+partB > 0 { // Welch and Satterthwaite
		freedom = (partA + partB) * (partA + partB) / (partA*partA/float64(len(a)-1) + partB*partB/float64(len(b)-1))
	}
	return interval(meanB-meanA, math.Sqrt(partA+partB), freedom, n)
}

func interval(center, standardError, freedom float64, rounds int) Estimate {
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}
	critical := t.Quantile(1 - (1-confidence)/2)
	return Estimate{
		Ratio:  math.Exp(center),
		Low:    math.Exp(center - critical*standardError),
		High:   math.Exp(center + critical*standardError),
		MDE:    math.Exp((critical + t.Quantile(power)) * standardError),
		Rounds: rounds,
	}
}

func unknownSpread(center float64, rounds int) Estimate {
	return Estimate{Ratio: math.Exp(center), Low: math.NaN(), High: math.NaN(), MDE: math.NaN(), Rounds: rounds}
}

// Known says whether the spread between rounds is known.
func (e Estimate) Known() bool { return !math.IsNaN(e.Low) }

func logsOf(values []float64) []float64 {
	logs := make([]float64, len(values))
	for i, value := range values {
		logs[i] = math.Log(value)
	}
	return logs
}

func mean(values []float64) float64 { return stat.Mean(values, nil) }

func geometricMean(values []float64) float64 { return math.Exp(mean(logsOf(values))) }
