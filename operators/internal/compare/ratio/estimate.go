// Package ratio says how much one server differs from another, how sure that is, and what may therefore be said. It is pure: numbers
// in, numbers and sentences out.
//
// Figures are compared as ratios on a logarithmic scale, where a server that is half as fast and one that is twice as fast
// are equally far from 1. Whatever happened within a round (several repeats on one store, thousands of operations) counts once; a round of
// windows counts as its pieces (see Pieces).
// Servers of one run are compared in pairs within each round, so that what slows a whole round down slows both; runs are compared
// as two independent samples (Welch).
//
// What may be nothing at all, such as the time that a fault cost, has no ratio: it is compared by differences (see Difference).
package ratio

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ringside.dev/ringside/operators/internal/plural"
)

// MinRounds below which the spread between rounds is not known well enough to say anything.
const MinRounds = 3

const (
	// confidence of the intervals; of a family's, that all of them hold.
	confidence = 0.95
	// power with which an effect of the minimum detectable size would have been seen.
	power = 0.80
	// leastSpread of a mean of log ratios that can be: below it figures are equal to more digits than any clock has.
	leastSpread = 1e-9
)

// Estimate of a ratio, or of a difference.
type Estimate struct {
	// Difference reports that Ratio, Low, High and MDE are differences, in the figures' own unit: equal is 0, not 1.
	Difference bool
	// Ratio is the geometric mean; of differences the mean.
	Ratio float64
	// Low and High bound the confidence interval; both are NaN where the spread is not known.
	Low, High float64
	// MDE is the smallest ratio above 1 (its inverse below), or difference from 0 to either side, that would have been seen with 80% power; NaN likewise.
	MDE float64
	// Rounds it rests on: pairs, or the smaller of two samples. Installations they were measured on.
	Rounds, Installations int
	// Unknown is why the spread is not known; empty where it is.
	Unknown string

	spread spread
	// whole interval, where Simultaneous ended it at what is equal; nil elsewhere.
	whole *interval
}

type interval struct{ low, high float64 }

// Known reports whether the spread is known.
func (e Estimate) Known() bool { return !math.IsNaN(e.Low) }

// Equal is what an estimate of two that do not differ would be.
func (e Estimate) Equal() float64 { return e.figure(0) }

// Differs reports that the interval excludes what is equal. An end there exactly is one that a family's correction put there: see Simultaneous.
func (e Estimate) Differs() bool { return e.Low >= e.Equal() || e.High <= e.Equal() }

// HalfWidth of the interval on the scale on which it is symmetric, which is logarithmic but for differences: 0.03 is about 3%. NaN where the
// spread is not known.
func (e Estimate) HalfWidth() float64 { return (e.Scaled(e.High) - e.Scaled(e.Low)) / 2 }

// Scaled is a ratio on the logarithmic scale; a difference is on its own. Equal is 0 on both.
func (e Estimate) Scaled(figure float64) float64 {
	if e.Difference {
		return figure
	}
	return math.Log(figure)
}

// figure is what Scaled makes the place of.
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

// spread is what is known of a mean of log ratios.
type spread struct {
	center, standardError float64
	pivot                 pivot
	freedom               float64
}

// tails of the pivot that an interval leaves out; Student's are alike, and dear.
func (s spread) tails(alpha float64) (above, below float64) {
	above = s.pivot.Quantile(1 - alpha/2)
	if _, symmetric := s.pivot.(distuv.StudentsT); symmetric {
		return above, -above
	}
	return above, s.pivot.Quantile(alpha / 2)
}

// HalfWidths of the simultaneous intervals of so many servers, on the logarithmic scale, where an interval is all that is asked;
// NaN where the spread is not known.
func HalfWidths(family []Estimate) []float64 {
	widths := make([]float64, len(family))
	tests := len(known(family))
	for i, e := range family {
		if !e.Known() || e.spread.pivot == nil {
			widths[i] = math.NaN()
			continue
		}
		above, below := e.spread.tails((1 - confidence) / float64(tests))
		widths[i] = (above - below) / 2 * e.spread.standardError
	}
	return widths
}

// at fills interval and minimum detectable effect in for an error probability.
func (e Estimate) at(alpha float64) Estimate {
	if !e.Known() || e.spread.pivot == nil {
		return e
	}
	s := e.spread
	above, below := s.tails(alpha)
	e.Low, e.High = e.figure(s.center-above*s.standardError), e.figure(s.center-below*s.standardError)
	reach := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: s.freedom}.Quantile(power)
	e.MDE = e.figure((max(above, -below) + reach) * s.standardError)
	return e
}

// p is the probability of a mean at least so far from 0 if there were no difference; 1 where the spread is not known.
func (e Estimate) p() float64 {
	if !e.Known() || e.spread.pivot == nil {
		return 1
	}
	below := e.spread.pivot.CDF(e.spread.center / e.spread.standardError)
	return min(1, 2*min(below, 1-below))
}

// Paired estimates the ratio of values to bases of one installation, which belong together by index. All are positive.
func Paired(bases, values []float64) Estimate {
	return OfLogs([][]float64{Logs(bases, values)}, StudentT)
}

// Logs of the ratios of values to bases.
func Logs(bases, values []float64) []float64 {
	logs := make([]float64, len(bases))
	for i := range bases {
		logs[i] = math.Log(values[i] / bases[i])
	}
	return logs
}

// Unpaired estimates the ratio of values to bases as two independent samples, grouped by installation, by Welch and Satterthwaite.
// As in pairs, installations are the units where both have enough of them.
func Unpaired(bases, values [][]float64, method Method) Estimate {
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
	return e.known(meanB-meanA, math.Sqrt(partA+partB), freedom, nil).at(1 - confidence)
}

// units of a sample, as logarithms but for differences: the means of its installations, or all its rounds.
func (e Estimate) units(figures [][]float64) []float64 {
	scaled := figures
	if !e.Difference {
		scaled = nil
		for _, own := range figures {
			scaled = append(scaled, logsOf(own))
		}
	}
	if e.Speaks() {
		return means(scaled)
	}
	return slices.Concat(scaled...)
}

// known gives the estimate its spread; of one that cannot be, none. Without a pivot it is Student's.
func (e Estimate) known(center, standardError, freedom float64, p pivot) Estimate {
	if !(standardError > leastSpread) {
		return e.unknown(center, fmt.Sprintf("%s without any difference between them: no spread is no certainty, and something may have counted one figure several times",
			plural.Of(e.Rounds, "round")))
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

// Withhold an estimate whose spread could be known, of figures that do not mean what their like do elsewhere: of it nothing is said but why.
func Withhold(e Estimate, why string) Estimate { return e.unknown(math.NaN(), why) }

func tooFew(n int, unit string) string {
	return fmt.Sprintf("%s: the spread between %ss cannot be known from fewer than %d (repeats within a store are not independent)", plural.Of(n, unit), unit, MinRounds)
}

func logsOf(values []float64) []float64 {
	logs := make([]float64, len(values))
	for i, value := range values {
		logs[i] = math.Log(value)
	}
	return logs
}

func mean(values []float64) float64 { return stat.Mean(values, nil) }

// Mean of values.
func Mean(values []float64) float64 { return mean(values) }

// GeometricMean of positive values.
func GeometricMean(values []float64) float64 { return math.Exp(mean(logsOf(values))) }
