package windows

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"ringside.dev/ringside/operators/internal/measure"
)

// Covariates selects the covariates for which windows are adjusted before they are compared.
type Covariates string

const (
	// None compares windows as measured.
	None Covariates = "as measured"
	// Neighbours removes the machine's level at the time of a window, estimated from the windows before and after it, of other arms. An
	// arm's neighbours are drawn at random, so the arm cannot influence them.
	Neighbours Covariates = "level of neighbours"
	// Counters removes what the store's own counters explain of a window. This also removes a real effect of an arm on what they count,
	// such as garbage: the intervals show how much of the noise has that source, not how much the arms differ.
	Counters Covariates = "counters"
	// Both removes both.
	Both Covariates = "both"
)

// AllCovariates returns the covariates in the order of the output.
func AllCovariates() []Covariates { return []Covariates{None, Neighbours, Counters, Both} }

// adjusted returns the series with each level adjusted for the covariates; false if they are unknown.
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
			return series{}, false // the pairing already removes the level that both have in common
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

// addNeighbours adds the mean level of the windows before and after as a covariate of each window.
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

// addCounters adds the store's counters per second as covariates of each window.
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

// covariateNames returns the covariates that every window has: garbage collection and compilation, which vary independently of the load.
func covariateNames(load Load) []string {
	return slices.DeleteFunc(counterNames(load), func(name string) bool {
		return !slices.Contains([]string{measure.PauseCounter, "cpu_gc_ns", "cpu_compiler_ns"}, name)
	})
}

// takeOut removes what the covariates explain, by least squares within arms, so that differences between arms explain nothing; false if the
// slopes cannot be estimated.
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

// slopes returns the slopes of the levels over the covariates, and the covariates' means over all windows. The slopes are within arms and
// within rounds, because pairing already removes what a round has in common.
func (s series) slopes() (slopes, means []float64) {
	var rows, levels []float64
	arms := map[string][]int{}
	total, k := 0, 0
	for _, round := range s.rounds {
		total += len(round)
	}
	for _, round := range s.rounds {
		if len(round) == 0 {
			continue // the metric is unknown for all of its windows
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
