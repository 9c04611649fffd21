package ratio

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Method by which the distribution of an estimate is found.
type Method int

// Methods.
const (
	// StudentT takes the log ratios as normal: right for rates, each of which is a mean of thousands of operations.
	StudentT Method = iota
	// Bootstrap draws the distribution from the rounds themselves where there are enough: a high percentile rests on few
	// operations, and its log ratios are skewed.
	Bootstrap
	// Difference takes the figures of the rounds as differences, in their own unit, and is StudentT otherwise.
	Difference
)

// MinInstallations from which on their spread is known well enough to speak of the server rather than of the installations.
const MinInstallations = 3

// OfLogs estimates a ratio from the log ratios of rounds, or a difference from the rounds' own, grouped by installation.
//
// An installation has a heap layout, a compiler's choices and a placement of its own that all its rounds share, so rounds on one
// installation replicate only that one. From three installations on their means are the units, as Kalibera and Jones have it for
// the highest level of a repeated experiment ("Rigorous benchmarking in reasonable time", ISMM 2013): the interval then speaks of
// the server. Of one or two the interval is that of their rounds, and speaks of these installations alone.
func OfLogs(installations [][]float64, method Method) Estimate {
	return SpreadOf(installations, method).at(1 - confidence)
}

// SpreadOf is OfLogs without the interval, for whoever needs no more than HalfWidths of it.
func SpreadOf(installations [][]float64, method Method) Estimate {
	var groups [][]float64
	e := Estimate{Difference: method == Difference}
	for _, logs := range installations {
		if len(logs) > 0 {
			groups = append(groups, logs)
			e.Rounds += len(logs)
		}
	}
	e.Installations = len(groups)
	switch {
	case len(groups) == 0:
		return e.unknown(math.NaN(), tooFew(0, "round"))
	case len(groups) == 1:
		return e.of(groups[0], method)
	case len(groups) < MinInstallations:
		return e.stratified(groups)
	}
	return e.of(means(groups), method)
}

// Speaks reports whether the estimate speaks of the server; else it speaks of the installations that were measured.
func (e Estimate) Speaks() bool { return e.Installations >= MinInstallations }

// of estimates from units that are independent of each other.
func (e Estimate) of(units []float64, method Method) Estimate {
	center := mean(units)
	if len(units) < MinRounds {
		return e.unknown(center, tooFew(len(units), "round"))
	}
	_, deviation := stat.MeanStdDev(units, nil)
	n := float64(len(units))
	standardError := deviation / math.Sqrt(n)
	if method == Bootstrap && len(units) >= MinBootstrap && standardError > leastSpread {
		if drawn := resample(units); drawn.bounded() {
			return e.known(center, standardError, n-1, cautious{drawn, distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}})
		}
	}
	return e.known(center, standardError, n-1, nil)
}

// stratified estimates the mean over installations that are what they are, from the spread of the rounds within each
// (Satterthwaite's degrees of freedom).
func (e Estimate) stratified(groups [][]float64) Estimate {
	center := mean(means(groups))
	k := float64(len(groups))
	variance, weight := 0.0, 0.0
	for _, logs := range groups {
		if len(logs) < MinRounds {
			return e.unknown(center, tooFew(len(logs), "round"))
		}
		_, own := stat.MeanVariance(logs, nil)
		part := own / float64(len(logs)) / (k * k)
		variance += part
		weight += part * part / float64(len(logs)-1)
	}
	return e.known(center, math.Sqrt(variance), variance*variance/weight, nil)
}

func means(groups [][]float64) []float64 {
	out := make([]float64, len(groups))
	for i, logs := range groups {
		out[i] = mean(logs)
	}
	return out
}
