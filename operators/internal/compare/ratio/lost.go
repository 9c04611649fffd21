package ratio

import (
	"fmt"
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/textfmt"
)

const (
	// MostLost is the largest share of lost rounds with which a comparison still has an interval.
	MostLost = 0.1
	// lostFar is how far from the mean a lost round is assumed, as a multiple of the farthest distance of any other round. By simulation (package
	// simulate), 2 suffices for slow rounds of any distribution there.
	lostFar = 2
)

// Sample holds the rounds of a comparison, or of one of two runs.
type Sample struct {
	// Figures are the log ratios, or the differences, of the rounds by installation. Those of one run are logarithms, or the figures themselves.
	Figures [][]float64
	// Lost is the number of rounds of each installation that have none, for reasons that can depend on the figure. Slow rounds miss a rate or time
	// out, so the remaining rounds are the fast ones.
	Lost []int
}

// lost returns the number of lost rounds, and of all rounds.
func (s Sample) lost() (lost, of int) {
	for _, n := range s.Lost {
		lost += n
	}
	return lost, lost + len(slices.Concat(s.Figures...))
}

// TooManyLost returns why the remaining rounds have no interval; empty if they have one.
func (s Sample) TooManyLost() string {
	lost, of := s.lost()
	if float64(lost) <= MostLost*float64(of) {
		return ""
	}
	return fmt.Sprintf("%d of %s are lost", lost, textfmt.Count(of, "round"))
}

// filled returns the figures with all lost rounds far below the others, and far above them.
func (s Sample) filled() (low, high [][]float64) {
	all := slices.Concat(s.Figures...)
	center, far := mean(all), 0.0
	for _, figure := range all {
		far = max(far, lostFar*math.Abs(figure-center))
	}
	fill := func(figure float64) [][]float64 {
		out := slices.Clone(s.Figures)
		for i, n := range s.Lost {
			out[i] = slices.Concat(out[i], slices.Repeat([]float64{figure}, n))
		}
		return out
	}
	return fill(center - far), fill(center + far)
}

// Of estimates a ratio, or a difference, from a sample (see OfLogs). The interval holds for both extremes of what the lost rounds can be assumed to
// be. It is unknown if too many are lost.
func Of(s Sample, method Method) Estimate { return SpreadOf(s, method).at(1 - confidence) }

// SpreadOf is Of without the interval, for callers that only need HalfWidths.
func SpreadOf(s Sample, method Method) Estimate {
	e := spreadOf(s.Figures, method)
	if lost, _ := s.lost(); lost == 0 || !e.Known() {
		return e
	}
	if why := s.TooManyLost(); why != "" {
		return e.unknown(math.NaN(), why)
	}
	low, high := s.filled()
	return e.bounded(spreadOf(low, method), spreadOf(high, method))
}

// bounded adds the spreads of two estimates whose intervals must hold as well.
func (e Estimate) bounded(low, high Estimate) Estimate {
	for _, bound := range []Estimate{low, high} {
		if !bound.Known() {
			return e.unknown(math.NaN(), bound.Unknown)
		}
		e.bounds = append(e.bounds, bound.spread)
	}
	return e
}
