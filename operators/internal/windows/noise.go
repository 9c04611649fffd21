package windows

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Noise describes how the windows of a load differ from their arms' means.
type Noise struct {
	// Deviation is the standard deviation of the levels, relative to the mean; Below is the share of windows below half of the mean.
	Deviation, Below float64
	// Resemblance holds the correlations of a window with the later windows of its round, of any arm, at distance 1, 2 and 3.
	Resemblance []float64
	// Sources are sorted by their correlation with the level, strongest first.
	Sources []Source
}

// Source is a store counter that causes noise, or indicates it.
type Source struct {
	Name string
	// PerSecond is its mean rate.
	PerSecond float64
	// Correlation of the window's level with the counter, by value and by rank, within arms.
	Correlation, RankCorrelation float64
}

// leastSpread is the least spread of a counter relative to its mean. Below it, only rounding varies.
const leastSpread = 1e-9

// Share returns the share of the levels' variance that the source explains.
func (s Source) Share() float64 { return s.Correlation * s.Correlation }

// NoiseOf returns the noise of a load's windows under a metric; false if the metric is unknown.
func NoiseOf(load Load, metric Metric) (Noise, bool) {
	s, ok := seriesOf(load, metric)
	if !ok {
		return Noise{}, false
	}
	var n Noise
	var levels []float64
	below := 0
	for _, round := range s.rounds {
		for _, w := range round {
			levels = append(levels, w.level)
			if w.level < -0.5 {
				below++
			}
		}
	}
	n.Deviation, n.Below = stat.StdDev(levels, nil), float64(below)/float64(len(levels))
	if !load.Duet {
		for distance := 1; distance <= 3; distance++ {
			n.Resemblance = append(n.Resemblance, s.resemblance(distance))
		}
	}
	n.Sources = s.sources(load, metric)
	return n, true
}

// resemblance returns the correlation of windows at a distance.
func (s series) resemblance(distance int) float64 {
	var before, after []float64
	for _, round := range s.rounds {
		for i := distance; i < len(round); i++ {
			before, after = append(before, round[i-distance].level), append(after, round[i].level)
		}
	}
	return stat.Correlation(before, after, nil)
}

// sources returns all counters that every window has.
func (s series) sources(load Load, metric Metric) []Source {
	var sources []Source
	for _, name := range counterNames(load) {
		var levels, values []float64
		sum, n := 0.0, 0.0
		own := map[string][]int{}
		for i, round := range load.Rounds {
			at := 0
			for _, w := range round {
				if _, _, ok := metric.of(w); !ok {
					continue
				}
				rate := w.Counters[name] / w.Seconds
				own[w.Arm] = append(own[w.Arm], len(values))
				levels, values = append(levels, s.rounds[i][at].level), append(values, rate)
				sum += rate
				n++
				at++
			}
		}
		if stat.StdDev(values, nil) <= leastSpread*sum/n {
			continue // a constant rate
		}
		ranks := [2][]float64{ranked(levels), ranked(values)}
		within(own, levels, values, ranks[0], ranks[1])
		sources = append(sources, Source{Name: name, PerSecond: sum / n, Correlation: stat.Correlation(levels, values, nil), RankCorrelation: stat.Correlation(ranks[0], ranks[1], nil)})
	}
	slices.SortStableFunc(sources, func(a, b Source) int {
		return cmp.Compare(math.Abs(b.Correlation), math.Abs(a.Correlation))
	})
	return sources
}

// counterNames returns the counters that all windows have, sorted.
func counterNames(load Load) []string {
	seen := map[string]int{}
	for _, round := range load.Rounds {
		for _, w := range round {
			for name := range w.Counters {
				seen[name]++
			}
		}
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		if seen[name] == load.Windows() {
			names = append(names, name)
		}
	}
	return names
}

// within subtracts each arm's mean from its values.
func within(arms map[string][]int, columns ...[]float64) {
	for _, places := range arms {
		for _, column := range columns {
			mean := 0.0
			for _, i := range places {
				mean += column[i] / float64(len(places))
			}
			for _, i := range places {
				column[i] -= mean
			}
		}
	}
}

// ranked returns the rank of each value; equal values share the middle rank.
func ranked(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	ranks := make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for _, at := range order[i:j] {
			ranks[at] = float64(i+j-1) / 2
		}
		i = j
	}
	return ranks
}
