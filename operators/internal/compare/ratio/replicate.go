package ratio

import (
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// poolBelow is the probability of not pooling pieces although rounds have no effect of their own. A preliminary test at the usual 5% would
// miss too many effects; at 25%, the intervals keep their coverage (Bozivich, Bancroft and Hartley, "Power of analysis of variance test
// procedures for certain incompletely specified models", Annals of Mathematical Statistics 27, 1956).
const poolBelow = 0.25

// Replicate reports whether pieces of rounds replicate as rounds do: whether rounds differ no more than their pieces suggest, by an
// analysis of variance. An effect of a round, such as which server thread got which connection, is in all its pieces, and counting them
// separately would then make the interval too narrow. False for fewer than two rounds, and for rounds of one piece each.
func Replicate(rounds [][]float64) bool {
	var all []float64
	within, between := 0.0, 0.0
	for _, pieces := range rounds {
		all = append(all, pieces...)
	}
	grand := mean(all)
	for _, pieces := range rounds {
		own, n := mean(pieces), float64(len(pieces))
		between += n * (own - grand) * (own - grand)
		if n > 1 {
			within += (n - 1) * stat.Variance(pieces, nil)
		}
	}
	above, below := float64(len(rounds)-1), float64(len(all)-len(rounds))
	if above < 1 || below < 1 {
		return false
	}
	if within == 0 {
		return between == 0
	}
	f := (between / above) / (within / below)
	return f <= distuv.F{D1: above, D2: below}.Quantile(1-poolBelow)
}
