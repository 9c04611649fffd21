package windows

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// Unit is the unit of replication.
type Unit string

const (
	// ByRounds uses one mean per round, as compare does without windows.
	ByRounds Unit = "rounds"
	// ByPieces uses some pieces per round, each of several blocks, as compare does for rounds of windows that replicate.
	ByPieces Unit = "pieces"
	// ByBlocks uses every block of a round, in which each arm has one window, and allows for correlation between neighbouring blocks.
	ByBlocks Unit = "blocks"
)

// Units returns the units in the order of the output.
func Units() []Unit { return []Unit{ByRounds, ByPieces, ByBlocks} }

// Way is a way to compute an interval.
type Way struct {
	Unit       Unit
	Covariates Covariates
}

// Interval is the 95% interval of a ratio on the logarithmic scale. HalfWidth is NaN if the spread is unknown.
type Interval struct{ Center, HalfWidth float64 }

// Holds reports whether the interval contains a ratio's logarithm.
func (i Interval) Holds(truth float64) bool { return math.Abs(truth-i.Center) <= i.HalfWidth }

// Estimate estimates the ratio of a pair of the load; false if the metric of one of the two, or a covariate, is unknown.
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

// byMeans returns Student's interval for the means of rounds, or of their pieces.
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

// byBlocks returns the interval of a ratio of sums, from each block's share in the error (the first-order term of the logarithm of the
// ratio) and the covariances of neighbouring blocks in a round with Bartlett's weights (Newey and West, Econometrica 55, 1987).
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

// pieces returns the pieces of all rounds, in whole blocks.
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

// lagsOf returns the number of lags over which the blocks of a round may be correlated.
func lagsOf(blocks int) int { return int(math.Cbrt(float64(blocks))) - 1 + min(blocks/4, 1) }

// sumVariance returns the variance of the sum of correlated values.
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
