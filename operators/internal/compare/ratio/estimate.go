// Package ratio estimates how much one server differs from another, how certain that is, and which verdict follows. It is pure: numbers in,
// numbers and sentences out.
//
// Figures are compared as ratios on a logarithmic scale, on which half as fast and twice as fast are equally far from 1. A round counts
// once, however many repeats, windows or operations it has. Servers of one run are compared in pairs within each round, so that a slow round
// slows both. Two runs are compared as independent samples (Welch).
//
// A figure that can be 0, such as the loss to a fault, has no ratio. It is compared by differences (see Difference).
package ratio

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ringside.dev/ringside/operators/internal/textfmt"
)

// MinRounds is the least number of rounds from which the spread between rounds can be estimated.
const MinRounds = 3

const (
	// confidence of an interval; for a family, of all its intervals together.
	confidence = 0.95
	// power is the probability of detecting an effect of the minimum detectable size.
	power = 0.80
	// leastSpread is the least plausible standard error of a mean of log ratios. Below it, figures agree in more digits than any clock has.
	leastSpread = 1e-9
)

// Estimate is an estimate of a ratio, or of a difference.
type Estimate struct {
	// Difference marks that Ratio, Low, High and MDE are differences in the figures' own unit: equal is 0, not 1.
	Difference bool
	// Ratio is the geometric mean of the ratios; the arithmetic mean of differences.
	Ratio float64
	// Low and High bound the confidence interval; both are NaN if the spread is unknown.
	Low, High float64
	// MDE is the minimum detectable effect: the smallest ratio above 1 (below 1, its inverse), or difference in either direction, that is
	// detected with 80% power. NaN if the spread is unknown.
	MDE float64
	// Rounds is the number of pairs, or of the smaller of two samples; Installations the number of installations they were measured on.
	Rounds, Installations int
	// Unknown is the reason why the spread is unknown; empty if it is known.
	Unknown string

	spread spread
	// bounds are spreads for which the interval must hold, too: those with lost rounds at their extremes.
	bounds []spread
	// whole is the interval before Simultaneous set one end to equal; nil if it did not.
	whole *interval
}

type interval struct{ low, high float64 }

// Known reports whether the spread is known.
func (e Estimate) Known() bool { return !math.IsNaN(e.Low) }

// Equal returns the value of an estimate without any difference: 1, or 0 for differences.
func (e Estimate) Equal() float64 { return e.figure(0) }

// Differs reports whether the interval excludes equal. An end exactly at equal was set by a family's correction: see Simultaneous.
func (e Estimate) Differs() bool { return e.Low >= e.Equal() || e.High <= e.Equal() }

// HalfWidth returns half the width of the interval on the scale of Scaled: 0.03 is about 3%. NaN if the spread is unknown.
func (e Estimate) HalfWidth() float64 { return (e.Scaled(e.High) - e.Scaled(e.Low)) / 2 }

// Scaled returns a ratio on the logarithmic scale; a difference unchanged. Equal is 0 on both.
func (e Estimate) Scaled(figure float64) float64 {
	if e.Difference {
		return figure
	}
	return math.Log(figure)
}

// figure is the inverse of Scaled.
func (e Estimate) figure(place float64) float64 {
	if e.Difference {
		return place
	}
	return math.Exp(place)
}

// pivot is the distribution of (estimate - truth) / standard error.
type pivot interface {
	Quantile(p float64) float64
	CDF(x float64) float64
}

// spread describes the distribution of a mean of log ratios.
type spread struct {
	center, standardError float64
	pivot                 pivot
	freedom               float64
}

// tails returns the quantiles of the pivot at both ends of an interval. Student's distribution is symmetric, and its quantile is expensive
// to compute.
func (s spread) tails(alpha float64) (above, below float64) {
	above = s.pivot.Quantile(1 - alpha/2)
	if _, symmetric := s.pivot.(distuv.StudentsT); symmetric {
		return above, -above
	}
	return above, s.pivot.Quantile(alpha / 2)
}

// HalfWidths returns the half-widths of the simultaneous intervals of a family on the logarithmic scale; NaN if the spread is unknown.
func HalfWidths(family []Estimate) []float64 {
	widths := make([]float64, len(family))
	for i, e := range corrected(family) {
		widths[i] = e.HalfWidth()
	}
	return widths
}

// at computes the interval and the minimum detectable effect for an error probability.
func (e Estimate) at(alpha float64) Estimate {
	if !e.Known() || e.spread.pivot == nil {
		return e
	}
	low, high, least := math.Inf(1), math.Inf(-1), 0.0
	for _, s := range append(e.bounds, e.spread) {
		above, below := s.tails(alpha)
		low, high = min(low, s.center-above*s.standardError), max(high, s.center-below*s.standardError)
		reach := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: s.freedom}.Quantile(power)
		least = max(least, (max(above, -below)+reach)*s.standardError)
	}
	e.Low, e.High, e.MDE = e.figure(low), e.figure(high), e.figure(least)
	return e
}

// p returns the probability of a mean at least this far from 0 without a true difference; 1 if the spread is unknown.
func (e Estimate) p() float64 {
	if !e.Known() || e.spread.pivot == nil {
		return 1
	}
	p := 0.0
	for _, s := range append(e.bounds, e.spread) {
		below := s.pivot.CDF(s.center / s.standardError)
		p = max(p, min(1, 2*min(below, 1-below)))
	}
	return p
}

// Unpaired estimates the ratio of values to bases, by installation, as two independent samples without lost rounds (see Between).
func Unpaired(bases, values [][]float64, method Method) Estimate {
	return Between(Sample{Figures: Scale(bases, method)}, Sample{Figures: Scale(values, method)}, method)
}

// Scale returns figures on the scale of estimates: their logarithms, or the figures themselves if they are compared by differences.
func Scale(figures [][]float64, method Method) [][]float64 {
	if method == Difference {
		return figures
	}
	var scaled [][]float64
	for _, own := range figures {
		scaled = append(scaled, logsOf(own))
	}
	return scaled
}

// Between estimates the ratio, or the difference, of two independent samples by Welch and Satterthwaite. As for pairs, installations are the units if
// both samples have enough of them, and the interval holds for both extremes of lost rounds.
func Between(bases, values Sample, method Method) Estimate {
	e := welch(bases.Figures, values.Figures, method)
	for _, s := range []Sample{bases, values} {
		if why := s.TooManyLost(); why != "" {
			return e.unknown(math.NaN(), why)
		}
	}
	if e.Known() {
		lowBases, highBases := bases.filled()
		lowValues, highValues := values.filled()
		e = e.bounded(welch(highBases, lowValues, method), welch(lowBases, highValues, method))
	}
	return e.at(1 - confidence)
}

func welch(bases, values [][]float64, method Method) Estimate {
	e := Estimate{Difference: method == Difference, Installations: min(len(bases), len(values)), Rounds: min(len(slices.Concat(bases...)), len(slices.Concat(values...)))}
	a, b := e.units(bases), e.units(values)
	n := min(len(a), len(b))
	if n < MinRounds {
		return e.unknown(mean(b)-mean(a), tooFew(n, "round"))
	}
	meanA, varianceA := stat.MeanVariance(a, nil)
	meanB, varianceB := stat.MeanVariance(b, nil)
	partA, partB := varianceA/float64(len(a)), varianceB/float64(len(b))
	freedom := (partA + partB) * (partA + partB) / (partA*partA/float64(len(a)-1) + partB*partB/float64(len(b)-1))
	return e.known(meanB-meanA, math.Sqrt(partA+partB), freedom, nil)
}

// units returns the units of a sample: the means of its installations, or all its rounds.
func (e Estimate) units(scaled [][]float64) []float64 {
	if e.SpansInstallations() {
		return means(scaled)
	}
	return slices.Concat(scaled...)
}

// known sets the spread of the estimate; an implausibly small one leaves it unknown. Without a pivot, the distribution is Student's.
func (e Estimate) known(center, standardError, freedom float64, p pivot) Estimate {
	if !(standardError > leastSpread) {
		return e.unknown(center, fmt.Sprintf("%s without any difference between them: no spread is no certainty, one figure may have been counted several times",
			textfmt.Count(e.Rounds, "round")))
	}
	if p == nil {
		p = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}
	}
	e.Ratio, e.spread = e.figure(center), spread{center, standardError, p, freedom}
	return e
}

func (e Estimate) unknown(center float64, why string) Estimate {
	e.Ratio, e.Unknown = e.figure(center), why
	e.Low, e.High, e.MDE = math.NaN(), math.NaN(), math.NaN()
	return e
}

// Withhold returns the estimate as unknown, with the reason, although its spread could be computed: its figures do not mean what they
// usually mean.
func Withhold(e Estimate, why string) Estimate { return e.unknown(math.NaN(), why) }

func tooFew(n int, unit string) string {
	return fmt.Sprintf("%s: an interval needs at least %d", textfmt.Count(n, unit), MinRounds)
}

func logsOf(values []float64) []float64 {
	logs := make([]float64, len(values))
	for i, value := range values {
		logs[i] = math.Log(value)
	}
	return logs
}

func mean(values []float64) float64 { return stat.Mean(values, nil) }

// Mean returns the arithmetic mean of values.
func Mean(values []float64) float64 { return mean(values) }

// GeometricMean returns the geometric mean of positive values.
func GeometricMean(values []float64) float64 { return math.Exp(mean(logsOf(values))) }
