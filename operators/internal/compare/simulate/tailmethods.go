package simulate

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// Interval of the logarithm of a ratio.
type Interval struct{ Low, High float64 }

// TailMethod estimates the ratios of the servers' p99.9 to the baseline's from the rounds of an experiment, with intervals that all hold in
// 95% of experiments.
type TailMethod func(rounds [][]*Tail, rng *rand.Rand) []Interval

// ofRounds is the comparison's own method: the percentile of each round, the mean of the log ratios, and the wider of Student's t and
// bootstrap-t.
func ofRounds(beyond float64) TailMethod {
	return func(rounds [][]*Tail, _ *rand.Rand) []Interval {
		var family []ratio.Estimate
		for server := 1; server < len(rounds[0]); server++ {
			family = append(family, ratio.OfLogs([][]float64{logRatios(rounds, server, beyond)}, ratio.Bootstrap))
		}
		return intervals(family)
	}
}

// ofPieces is ofRounds with pieces of rounds that count as rounds where the rounds differ no more than their pieces, as for op rates.
func ofPieces(pieces int) TailMethod {
	return func(parts [][]*Tail, _ *rand.Rand) []Interval {
		var family []ratio.Estimate
		for server := 1; server < len(parts[0]); server++ {
			logs := logRatios(parts, server, p999)
			rounds := slices.Collect(slices.Chunk(logs, pieces))
			if !ratio.Replicate(rounds) {
				logs = logs[:0:0]
				for _, round := range rounds {
					logs = append(logs, ratio.Mean(round))
				}
			}
			family = append(family, ratio.OfLogs([][]float64{logs}, ratio.Bootstrap))
		}
		return intervals(family)
	}
}

// intervals returns the simultaneous intervals of a family.
func intervals(family []ratio.Estimate) []Interval {
	var out []Interval
	for _, e := range ratio.Simultaneous(family) {
		out = append(out, Interval{math.Log(e.Low), math.Log(e.High)})
	}
	return out
}

// logRatios returns the log ratio of a server's percentile to the baseline's in each round.
func logRatios(rounds [][]*Tail, server int, beyond float64) []float64 {
	logs := make([]float64, len(rounds))
	for i, round := range rounds {
		logs[i] = round[server].quantile(beyond) - round[0].quantile(beyond)
	}
	return logs
}

// signedRanks takes the median of the pairwise means of the log ratios of the rounds, with the interval of Wilcoxon's signed-rank test
// (Hodges and Lehmann, Annals of Mathematical Statistics 34, 1963).
func signedRanks(rounds [][]*Tail, _ *rand.Rand) []Interval {
	n := float64(len(rounds))
	pairs := n * (n + 1) / 2
	family := float64(len(rounds[0]) - 1)
	outside := pairs/2 + distuv.UnitNormal.Quantile(0.025/family)*math.Sqrt(n*(n+1)*(2*n+1)/24)
	place := max(int(outside), 0)
	var out []Interval
	for server := 1; server < len(rounds[0]); server++ {
		logs := logRatios(rounds, server, p999)
		var means []float64
		for i, a := range logs {
			for _, b := range logs[i:] {
				means = append(means, (a+b)/2)
			}
		}
		slices.Sort(means)
		out = append(out, Interval{means[place], means[len(means)-1-place]})
	}
	return out
}

// sectioned takes the ratio of the percentiles of all reads, and its error from the distances of the rounds' ratios from it (Nakayama, ACM
// TOMACS 24, 2014).
func sectioned(rounds [][]*Tail, _ *rand.Rand) []Interval {
	all, n := merged(rounds), float64(len(rounds))
	reach := student(n-1, len(all)-1)
	var out []Interval
	for server := 1; server < len(all); server++ {
		center, squares := all[server].quantile(p999)-all[0].quantile(p999), 0.0
		for _, log := range logRatios(rounds, server, p999) {
			squares += (log - center) * (log - center)
		}
		half := reach * math.Sqrt(squares/(n-1)/n)
		out = append(out, Interval{center - half, center + half})
	}
	return out
}

// student returns Student's quantile for one of a family of two-sided intervals.
func student(freedom float64, family int) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(1 - 0.025/float64(family))
}

// bootstrapped draws whole rounds, all servers together, and takes the percentiles of the ratio of the pooled percentiles. Windows are not
// drawn again within rounds: that would count their spread twice (Davison and Hinkley, Bootstrap Methods and their Application, 1997, 3.8).
// The percentiles are those of Student's t instead of the normal distribution (Hesterberg, The American Statistician 69, 2015).
func bootstrapped(draws int) TailMethod {
	return func(rounds [][]*Tail, rng *rand.Rand) []Interval {
		n := len(rounds)
		logs := make([][]float64, len(rounds[0])-1)
		for range draws {
			drawn := make([][]*Tail, n)
			for i := range drawn {
				drawn[i] = rounds[rng.IntN(n)]
			}
			all := merged(drawn)
			base := all[0].quantile(p999)
			for i := range logs {
				logs[i] = append(logs[i], all[i+1].quantile(p999)-base)
			}
		}
		outside := distuv.UnitNormal.CDF(-student(float64(n-1), len(logs)) * math.Sqrt(float64(n)/float64(n-1)))
		var out []Interval
		for _, own := range logs {
			slices.Sort(own)
			out = append(out, Interval{stat.Quantile(outside, stat.LinInterp, own, nil), stat.Quantile(1-outside, stat.LinInterp, own, nil)})
		}
		return out
	}
}

// ranked inverts a test of quantile regression: a ratio is within the interval if, after the server's reads are divided by it, about as many
// of its reads as of the baseline's are beyond the percentile of both together. The rounds are the clusters of a t test of the difference
// (Koenker, Quantile Regression, 2005, 3.5; Parente and Santos Silva, Journal of Econometric Methods 5, 2016).
func ranked(rounds [][]*Tail, _ *rand.Rand) []Interval {
	reach := student(float64(len(rounds)-1), len(rounds[0])-1)
	all := merged(rounds)
	var out []Interval
	for server := 1; server < len(all); server++ {
		start := int(math.Round((all[server].quantile(p999) - all[0].quantile(p999)) * perOctave / math.Ln2))
		end := func(step int) float64 {
			slower := start
			for ; slower > start-4*perOctave && slower < start+4*perOctave; slower += step {
				if math.Abs(score(rounds, all, server, slower)) > reach {
					break
				}
			}
			return float64(slower) * math.Ln2 / perOctave
		}
		out = append(out, Interval{end(-1), end(1)})
	}
	return out
}

// score is the t statistic of how many more of the server's reads than of the baseline's are beyond the common percentile.
func score(rounds [][]*Tail, all []*Tail, server, slower int) float64 {
	common := &Tail{}
	common.add(all[0], 0)
	common.add(all[server], -slower)
	bound := int(math.Round(common.quantile(p999) * perOctave / math.Ln2))
	differences := make([]float64, len(rounds))
	for i, round := range rounds {
		differences[i] = round[server].above(bound+slower) - round[0].above(bound)
	}
	mean, deviation := stat.MeanStdDev(differences, nil)
	if deviation == 0 {
		return 0
	}
	return mean / (deviation / math.Sqrt(float64(len(rounds))))
}
