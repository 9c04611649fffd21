package ratio

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// MinBootstrap is how many rounds a bootstrap needs: of fewer, the resamples are too few and too much alike for the tails of a 95%
// interval, and Student's distribution is the better guess.
const MinBootstrap = 10

const (
	// draws of a bootstrap: enough for the 0.4% quantiles that a family of six servers asks for.
	draws = 9999
	// seed of the draws: the same figures give the same interval, always.
	seed = 2013
)

// cautious takes of Student's distribution and the one drawn from the rounds the one that reaches further, in each tail. Where the
// rounds are skewed that is the drawn one. Where they have heavy tails to both sides it is Student's: what is drawn from 16 rounds
// knows too little of tails, and its intervals alone held the truth in 92.4% of simulated experiments (package simulate).
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

// drawn is the distribution of the studentized mean over resamples: the bootstrap-t, whose intervals keep their coverage with
// skewed figures where those of plain bootstrap percentiles are too short (Efron and Tibshirani, An Introduction to the Bootstrap,
// 1993, chapter 12; Hall, Annals of Statistics 16, 1988).
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

// studentized distance; a resample of one value again and again is infinitely far away unless it is the mean itself.
func studentized(distance, standardError float64) float64 {
	switch {
	case standardError > leastSpread:
		return distance / standardError
	case math.Abs(distance) <= leastSpread:
		return 0
	}
	return math.Inf(int(math.Copysign(1, distance)))
}

// bounded reports that no tail that an interval could ask for is infinite.
func (d drawn) bounded() bool {
	edge := len(d) / 1000
	return !math.IsInf(d[edge], 0) && !math.IsInf(d[len(d)-1-edge], 0)
}

// Quantile of the draws.
func (d drawn) Quantile(p float64) float64 { return stat.Quantile(p, stat.LinInterp, d, nil) }

// CDF never says never: what no draw reached is less likely than one of them.
func (d drawn) CDF(x float64) float64 {
	below := sort.Search(len(d), func(i int) bool { return d[i] > x })
	return float64(below+1) / float64(len(d)+2)
}
