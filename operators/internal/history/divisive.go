package history

import "math"

// split is where a part of a series divides best: at is the index of the first value after it, divergence the energy distance there.
type split struct {
	at         int
	divergence float64
}

// bestSplit returns the split of values with the largest divergence between the values before it and those after it up to some later end.
// It needs two values or more. For each τ < κ the divergence of x = values[:τ] and y = values[τ:κ], with n and m values, is
//
//	2/(n+m) Σ|x-y| - 2m/((n+m)(n-1)) Σ|x-x'| - 2n/((n+m)(m-1)) Σ|y-y'|
//
// over all pairs: Matteson and James, equations 5 and 7, for distances to the power of 1.
func bestSplit(values []float64) split {
	best := split{divergence: math.Inf(-1)}
	toBefore := distancesToBefore(values)
	left := 0.0 // the sum over all pairs before τ
	for tau := 1; tau < len(values); tau++ {
		left += toBefore[tau-1][tau-1]
		cross, right := 0.0, 0.0
		n := float64(tau)
		for kappa := tau + 1; kappa <= len(values); kappa++ {
			last := toBefore[kappa-1]
			cross += last[tau]
			right += last[kappa-1] - last[tau]
			m := float64(kappa - tau)
			divergence := cross
			if tau > 1 {
				divergence -= m / (n - 1) * left
			}
			if m > 1 {
				divergence -= n / (m - 1) * right
			}
			if divergence *= 2 / (n + m); divergence > best.divergence {
				best = split{tau, divergence}
			}
		}
	}
	return best
}

// distancesToBefore returns, for each value k, the sums of its distances to the first 0, 1, ..., k values.
func distancesToBefore(values []float64) [][]float64 {
	all := make([]float64, len(values)*(len(values)+1)/2)
	sums := make([][]float64, len(values))
	for k := range values {
		sums[k], all = all[:k+1], all[k+1:]
		for i := range k {
			sums[k][i+1] = sums[k][i] + math.Abs(values[i]-values[k])
		}
	}
	return sums
}
