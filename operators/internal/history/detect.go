package history

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
)

// Found is a change point in a series.
type Found struct {
	// At is the index of the first value after the change.
	At int
	// P is the probability of a divergence at least as large if the values of the divided part were exchangeable.
	P float64
}

// Find returns the change points of a series, in order. In a series of exchangeable values it finds any with a probability of at most level.
// Equal values give equal answers: the permutations are drawn with a seed from the values.
func Find(values []float64, level float64) []Found {
	var found []Found
	rng, splits := rand.New(rand.NewPCG(seedOf(values), 1)), newSplitter(len(values))
	for {
		parts := partsOf(values, found)
		best := splits.bestOf(parts)
		p, significant := splits.permuted(parts, best.divergence, level, rng)
		if !significant {
			return found
		}
		found = append(found, Found{best.at, p})
		slices.SortFunc(found, func(a, b Found) int { return a.At - b.At })
	}
}

// partsOf returns the values between change points.
func partsOf(values []float64, found []Found) [][]float64 {
	var parts [][]float64
	from := 0
	for _, f := range found {
		parts = append(parts, values[from:f.At])
		from = f.At
	}
	return append(parts, values[from:])
}

// bestOf returns the best split of all parts, counted from the first value of the first part.
func (s *splitter) bestOf(parts [][]float64) split {
	best, from := split{divergence: math.Inf(-1)}, 0
	for _, part := range parts {
		if len(part) > 1 {
			if own := s.best(part); own.divergence > best.divergence {
				best = split{from + own.at, own.divergence}
			}
		}
		from += len(part)
	}
	return best
}

// rounding is the share by which equal divergences may differ because their terms were added in another order.
const rounding = 1e-9

// permuted tests a divergence against those of permutations within each part. It ends early once too many are as large.
func (s *splitter) permuted(parts [][]float64, divergence, level float64, rng *rand.Rand) (p float64, significant bool) {
	if !(divergence > 0) {
		return 1, false
	}
	mixed := make([][]float64, len(parts))
	for i, part := range parts {
		mixed[i] = slices.Clone(part)
	}
	total := permutations(level)
	allowed := int(level*float64(total+1)+rounding) - 1
	large := 0
	for range total {
		for _, part := range mixed {
			rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		}
		if s.bestOf(mixed).divergence >= divergence*(1-rounding) {
			if large++; large > allowed {
				return 1, false
			}
		}
	}
	return float64(large+1) / float64(total+1), true
}

// permutations returns how many are drawn: with the observed order, four of them are significant at the level.
func permutations(level float64) int { return max(1000, int(math.Ceil(4/level))) - 1 }

// seedOf returns a seed that depends on all values and their order.
func seedOf(values []float64) uint64 {
	hash := fnv.New64a()
	for _, value := range values {
		var bits [8]byte
		binary.LittleEndian.PutUint64(bits[:], math.Float64bits(value))
		hash.Write(bits[:]) // never fails
	}
	return hash.Sum64()
}

// RunsAfter returns how many runs must follow a change in a series of n runs before a permutation test can find it; 0 if none in so short a
// series is found. At least two of the orders of the runs, this one and its mirror image, are as extreme as the observed one.
func RunsAfter(n int, level float64) int {
	orders := 1.0 // n over k
	for k := 1; k <= n/2; k++ {
		orders *= float64(n-k+1) / float64(k)
		if 2/orders <= level {
			return k
		}
	}
	return 0
}

// FewestRuns returns the length of the shortest series in which a change can be found.
func FewestRuns(level float64) int {
	n := 2
	for RunsAfter(n, level) == 0 {
		n++
	}
	return n
}
