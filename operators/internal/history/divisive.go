package history

import "math"

// split is where a part of a series divides best: at is the index of the first value after it, divergence the energy distance there.
type split struct {
	at         int
	divergence float64
}

// splitter finds the best splits of parts of a series. Its buffers are reused, because a permutation test calls it thousands of times.
type splitter struct {
	// toBefore has the sum of the distances of each value to all before it, toLeft that to all left of τ.
	toBefore, toLeft []float64
	// inverse has 1/i.
	inverse []float64
}

// newSplitter returns a splitter for parts of up to the given length.
func newSplitter(length int) *splitter {
	s := &splitter{make([]float64, length), make([]float64, length), make([]float64, length+1)}
	for i := 1; i <= length; i++ {
		s.inverse[i] = 1 / float64(i)
	}
	return s
}

// best returns the split of values with the largest divergence between the values before it and those after it up to some later end.
// It needs two values or more. For each τ < κ the divergence of x = values[:τ] and y = values[τ:κ], with n and m values, is
//
//	2/(n+m) Σ|x-y| - 2m/((n+m)(n-1)) Σ|x-x'| - 2n/((n+m)(m-1)) Σ|y-y'|
//
// over all pairs: Matteson and James, equations 5 and 7, for distances to the power of 1.
func (s *splitter) best(values []float64) split {
	best := split{divergence: math.Inf(-1)}
	toBefore, toLeft := s.toBefore[:len(values)], s.toLeft[:len(values)]
	for k, value := range values {
		sum := 0.0
		for _, before := range values[:k] {
			sum += math.Abs(before - value)
		}
		toBefore[k], toLeft[k] = sum, 0
	}
	within := 0.0 // the sum over all pairs before τ
	for tau := 1; tau < len(values); tau++ {
		within += toBefore[tau-1]
		share := within // for each value right of τ
		if tau > 1 {
			share *= s.inverse[tau-1]
		}
		last, cross, right := values[tau-1], 0.0, 0.0
		for k := tau; k < len(values); k++ {
			toLeft[k] += math.Abs(last - values[k])
			cross += toLeft[k]
			right += toBefore[k] - toLeft[k]
			m := k - tau + 1
			divergence := 2 * s.inverse[tau+m] * (cross - float64(m)*share - float64(tau)*s.inverse[m-1]*right)
			if divergence > best.divergence {
				best = split{tau, divergence}
			}
		}
	}
	return best
}
