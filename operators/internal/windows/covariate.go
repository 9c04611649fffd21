package windows

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"ringside.dev/ringside/operators/internal/measure"
)

// Covariates by which windows are adjusted before they are compared.
type Covariates string

const (
	// None compares windows as they are.
	None Covariates = "as measured"
	// Neighbours takes out what the windows before and after a window, of other arms, tell of the machine's level at that time. An arm's
	// neighbours are drawn at random, so that what they are cannot be its doing.
	Neighbours Covariates = "level of neighbours"
	// Counters takes out what the store's own counters tell of a window. An arm that has more of what they count (garbage) is excused for
	// it: such intervals say how much noise has that source, not how much the arms differ.
	Counters Covariates = "counters"
	// Both takes out both.
	Both Covariates = "both"
)

// AllCovariates in the order in which they are shown.
func AllCovariates() []Covariates { return []Covariates{None, Neighbours, Counters, Both} }

// adjusted series: each level without what its covariates explain; false where they are not known.
func (s series) adjusted(load Load, metric Metric, by Covariates) (series, bool) {
	if by == None {
		return s, true
	}
	out := series{slots: s.slots, rates: s.rates}
	for _, round := range s.rounds {
		out.rounds = append(out.rounds, slices.Clone(round))
	}
	if by == Neighbours || by == Both {
		if load.Duet {
			return series{}, false // what the two of a pair have in common is taken out by their being one
		}
		out.addNeighbours()
	}
	if by == Counters || by == Both {
		if !out.addCounters(load, metric) {
			return series{}, false
		}
	}
	return out, out.takeOut()
}

// addNeighbours gives each window the mean level of the one before and the one after.
func (s series) addNeighbours() {
	for _, round := range s.rounds {
		for i := range round {
			sum, n := 0.0, 0.0
			for _, j := range []int{i - 1, i + 1} {
				if j >= 0 && j < len(round) {
					sum += round[j].level
					n++
				}
			}
			if n > 0 {
				sum /= n
			}
			round[i].covariates = append(round[i].covariates, sum)
		}
	}
}

// addCounters gives each window what the store counted in it, per second.
func (s series) addCounters(load Load, metric Metric) bool {
	names := covariateNames(load)
	if len(names) == 0 {
		return false
	}
	for i, round := range load.Rounds {
		at := 0
		for _, w := range round {
			if _, _, ok := metric.of(w); !ok {
				continue
			}
			for _, name := range names {
				s.rounds[i][at].covariates = append(s.rounds[i][at].covariates, w.Counters[name]/w.Seconds)
			}
			at++
		}
	}
	return true
}

// covariateNames that every window has: what the collector and the compiler did, which comes and goes by itself.
func covariateNames(load Load) []string {
	return slices.DeleteFunc(counterNames(load), func(name string) bool {
		return !slices.Contains([]string{measure.PauseCounter, "cpu_gc_ns", "cpu_compiler_ns"}, name)
	})
}

// takeOut what the covariates explain: least squares within arms, so that what arms differ by explains nothing; false where that cannot
// be told.
func (s series) takeOut() bool {
	slopes, means := s.slopes()
	if slopes == nil {
		return false
	}
	for _, round := range s.rounds {
		for i := range round {
			for k, slope := range slopes {
				round[i].level -= slope * (round[i].covariates[k] - means[k])
			}
		}
	}
	return true
}

// slopes of the levels over the covariates, within arms and within rounds (what a round has in common, pairs take out anyway), and the
// covariates' means over all windows.
func (s series) slopes() (slopes, means []float64) {
	var rows, levels []float64
	arms := map[string][]int{}
	total, k := 0, 0
	for _, round := range s.rounds {
		total += len(round)
	}
	for _, round := range s.rounds {
		if len(round) == 0 {
			continue // the metric is not known of any of its windows
		}
		k = len(round[0].covariates)
		if means == nil {
			means = make([]float64, k)
		}
		center, level := make([]float64, k), 0.0
		for _, w := range round {
			for c, value := range w.covariates {
				center[c] += value / float64(len(round))
				means[c] += value / float64(total)
			}
			level += w.level / float64(len(round))
		}
		for _, w := range round {
			arms[w.arm] = append(arms[w.arm], len(levels))
			for c, value := range w.covariates {
				rows = append(rows, value-center[c])
			}
			levels = append(levels, w.level-level)
		}
	}
	columns := [][]float64{levels}
	for c := range k {
		column := make([]float64, total)
		for i := range column {
			column[i] = rows[i*k+c]
		}
		columns = append(columns, column)
	}
	within(arms, columns...)
	for c := range k {
		for i, value := range columns[c+1] {
			rows[i*k+c] = value
		}
	}
	var solution mat.VecDense
	if total <= 2*k || solution.SolveVec(mat.NewDense(total, k, rows), mat.NewVecDense(total, levels)) != nil {
		return nil, nil
	}
	return solution.RawVector().Data, means
}
