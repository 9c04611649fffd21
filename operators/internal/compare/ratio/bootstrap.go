package ratio

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// MinBootstrap is the least number of rounds for a bootstrap. With fewer, the resamples are too similar for the tails of a 95% interval,
// and Student's distribution is more accurate.
const MinBootstrap = 10

const (
	// draws is the number of resamples: enough for the 0.4% quantiles of a family of six servers.
	draws = 9999
	// seed of the draws is constant, so that the same figures always give the same interval.
	seed = 2013
)

// cautious takes the wider of Student's distribution and the drawn one, in each tail. For skewed rounds, the drawn one is wider. For rounds
// with heavy tails on both sides, Student's is: 16 rounds have too few values in the tails, and intervals drawn from them alone contained
// the truth in 92.4% of simulated experiments (package simulate).
type cautious struct {
	drawn   drawn
	student distuv.StudentsT
}

func (c cautious) Quantile(p float64) float64 {
	if p < 0.5 {
		return min(c.drawn.Quantile(p), c.student.Quantile(p))
	}
	return max(c.drawn.Quantile(p), c.student.Quantile(p))
}

func (c cautious) CDF(x float64) float64 {
	if x < 0 {
		return max(c.drawn.CDF(x), c.student.CDF(x))
	}
	return min(c.drawn.CDF(x), c.student.CDF(x))
}

// drawn is the distribution of the studentized mean over resamples (bootstrap-t). Its intervals keep their coverage for skewed figures, for
// which plain bootstrap percentiles are too short (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 12; Hall, Annals
// of Statistics 16, 1988).
type drawn []float64

func resample(units []float64) drawn {
	rng := rand.New(rand.NewPCG(seed, uint64(len(units))))
	center, n := mean(units), float64(len(units))
	out := make(drawn, draws)
	for i := range out {
		sum, squares := 0.0, 0.0
		for range units {
			distance := units[rng.IntN(len(units))] - center
			sum += distance
			squares += distance * distance
		}
		variance := max(squares-sum*sum/n, 0) / (n - 1)
		out[i] = studentized(sum/n, math.Sqrt(variance/n))
	}
	slices.Sort(out)
	return out
}

// studentized returns the distance in standard errors. A resample without spread is infinitely far away, unless it equals the mean.
func studentized(distance, standardError float64) float64 {
	switch {
	case standardError > leastSpread:
		return distance / standardError
	case math.Abs(distance) <= leastSpread:
		return 0
	}
	return math.Inf(int(math.Copysign(1, distance)))
}

// bounded reports whether all quantiles that an interval can use are finite.
func (d drawn) bounded() bool {
	edge := len(d) / 1000
	return !math.IsInf(d[edge], 0) && !math.IsInf(d[len(d)-1-edge], 0)
}

// Quantile returns a quantile of the draws.
func (d drawn) Quantile(p float64) float64 { return stat.Quantile(p, stat.LinInterp, d, nil) }

// CDF is never 0 or 1: a value beyond all draws is less likely than one draw, but possible.
func (d drawn) CDF(x float64) float64 {
	below := sort.Search(len(d), func(i int) bool { return d[i] > x })
	return float64(below+1) / float64(len(d)+2)
}
