package windows

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// Unit of replication.
type Unit string

const (
	// ByRounds takes a round's means as one figure each: what compare does where it has no windows.
	ByRounds Unit = "rounds"
	// ByPieces takes a round as some pieces, each of so many blocks: what compare does with rounds of windows that replicate.
	ByPieces Unit = "pieces"
	// ByBlocks takes every block of a round, in which each arm has one window, and allows for blocks that resemble the one before.
	ByBlocks Unit = "blocks"
)

// Units in the order in which they are shown.
func Units() []Unit { return []Unit{ByRounds, ByPieces, ByBlocks} }

// Way of reckoning.
type Way struct {
	Unit       Unit
	Covariates Covariates
}

// Interval of a ratio, 95%, on the logarithmic scale. HalfWidth is NaN where the spread is not known.
type Interval struct{ Center, HalfWidth float64 }

// Holds says whether a ratio's logarithm lies within.
func (i Interval) Holds(truth float64) bool { return math.Abs(truth-i.Center) <= i.HalfWidth }

// Estimate the ratio of a pair of the load; false where the metric is not known of both, or the way's covariates are not.
func Estimate(load Load, metric Metric, way Way, pair Pair) (Interval, bool) {
	s, ok := seriesOf(load, metric)
	if !ok {
		return Interval{}, false
	}
	if s, ok = s.adjusted(load, metric, way.Covariates); !ok {
		return Interval{}, false
	}
	switch way.Unit {
	case ByRounds:
		return s.byMeans(pair, s.rounds), true
	case ByPieces:
		return s.byMeans(pair, s.pieces()), true
	}
	return s.byBlocks(pair), true
}

// byMeans is Student's interval of the means of rounds, or of their pieces.
func (s series) byMeans(pair Pair, parts [][]point) Interval {
	var logs []float64
	for _, part := range parts {
		if d := difference(part, pair); !math.IsNaN(d) {
			logs = append(logs, s.logRatio(pair)+d)
		}
	}
	e := ratio.OfLogs([][]float64{logs}, ratio.StudentT)
	return Interval{math.Log(e.Ratio), e.HalfWidth()}
}

// byBlocks is the interval of a ratio of sums: each block's share in its error (the first-order term of the logarithm of the ratio), with
// the covariances of neighbouring blocks in a round by Bartlett's weights (Newey and West, Econometrica 55, 1987).
func (s series) byBlocks(pair Pair) Interval {
	arm, base := s.weights(pair)
	variance, count, center := 0.0, 0, 0.0
	lags := 0
	var shares [][]float64
	for _, round := range s.rounds {
		var own []float64
		for _, block := range s.blocks(round) {
			share := 0.0
			for _, w := range block {
				switch w.arm {
				case pair.Arm:
					share += w.weight * w.level / arm
				case pair.Base:
					share -= w.weight * w.level / base
				}
			}
			own = append(own, share)
			center += share
		}
		count += len(own)
		lags = max(lags, lagsOf(len(own)))
		shares = append(shares, own)
	}
	mean := center / float64(count)
	for _, own := range shares {
		variance += sumVariance(own, mean)
	}
	freedom := float64(count)/float64(1+lags) - 1
	if freedom < 1 {
		return Interval{s.logRatio(pair) + center, math.NaN()}
	}
	variance *= float64(count) / float64(count-1)
	reach := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(0.975)
	return Interval{s.logRatio(pair) + center, reach * math.Sqrt(variance)}
}

// pieces of all rounds, of whole blocks.
func (s series) pieces() [][]point {
	var out [][]point
	for _, round := range s.rounds {
		blocks := s.blocks(round)
		pieces := ratio.Pieces(len(blocks))
		for i := range pieces {
			from, to := ratio.Piece(i, pieces, len(blocks))
			out = append(out, slices.Concat(blocks[from:to]...))
		}
	}
	return out
}

// lagsOf a round of so many blocks over which they may resemble each other.
func lagsOf(blocks int) int { return int(math.Cbrt(float64(blocks))) - 1 + min(blocks/4, 1) }

// sumVariance of the sum of values that resemble those before.
func sumVariance(values []float64, mean float64) float64 {
	lags := lagsOf(len(values))
	variance := 0.0
	for lag := 0; lag <= lags && lag < len(values); lag++ {
		sum := 0.0
		for i := range len(values) - lag {
			sum += (values[i] - mean) * (values[i+lag] - mean)
		}
		if lag > 0 {
			sum *= 2 * (1 - float64(lag)/float64(lags+1))
		}
		variance += sum
	}
	return variance
}
