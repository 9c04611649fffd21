// Package covariates shows what explains the noise of a run: for each figure that is recorded next to a primary metric, how much of the spread of
// the metric's log ratios goes with it.
package covariates

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// leastRounds is the least number of rounds of which anything is said: with fewer, chance explains much, in cross-validation too.
const leastRounds = 8

// Finding is what one covariate explains of the primary metric of one server under one load.
type Finding struct {
	Load, Server, Metric, Covariate string
	Rounds, Windows                 Part
}

// Part is what a covariate explains of the log ratios of all rounds, or of all their windows.
type Part struct {
	// Logs is the number of log ratios.
	Logs int
	ratio.Explained
	// Known is false if the covariate is not recorded or does not vary, and for fewer than leastRounds rounds, which count only by their windows.
	Known bool
}

// Explain returns the findings of a run, with all covariates that vary. A run of which nothing can be said is an error.
func Explain(run *archive.Run) ([]Finding, error) {
	result, err := compare.Within(run, compare.Defaults())
	if err != nil {
		return nil, fmt.Errorf("explain the noise of a run: %w", err)
	}
	var findings []Finding
	for i := range result.Comparisons {
		c := &result.Comparisons[i]
		if !c.Primary || c.Metric.Difference {
			continue
		}
		moments := momentsOf(run, c)
		rounds, windows := inRounds(run, c.Metric, moments), inWindows(run, c.Metric, moments)
		for _, name := range names(rounds, windows) {
			f := Finding{Load: c.Load, Server: c.Server, Metric: c.Metric.Name, Covariate: name, Rounds: explain(rounds, name), Windows: explain(windows, name)}
			f.Rounds.Known = f.Rounds.Known && f.Rounds.Logs >= leastRounds
			if f.Rounds.Known || f.Windows.Known {
				findings = append(findings, f)
			}
		}
	}
	if len(findings) == 0 {
		return nil, fmt.Errorf("explain the noise of a run: it has neither %d compared rounds nor windows with the store's counters: run the experiment with more rounds", leastRounds)
	}
	return findings, nil
}

// pair is what both sides had at the same time, in a round or in a window of it.
type pair struct{ baseline, server view }

// view is the primary metric of one side, and the figures next to it by the names of covariates.
type view struct {
	figure float64
	next   map[string]float64
}

func (p pair) log() float64 { return math.Log(p.server.figure / p.baseline.figure) }

// names returns the names of all covariates, sorted.
func names(of ...[][]pair) []string {
	all := map[string]bool{}
	for _, rounds := range of {
		for _, p := range slices.Concat(rounds...) {
			for name := range p.server.next {
				all[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// explain relates the log ratios to a covariate: to its difference between the sides, or to its value where both have the same, such as the
// wait of a load that they share.
func explain(rounds [][]pair, name string) Part {
	var logs, differences, values [][]float64
	part, shared := Part{Logs: len(slices.Concat(rounds...))}, true
	for _, pairs := range rounds {
		var log, difference, value []float64
		for _, p := range pairs {
			base, there := p.baseline.next[name]
			own, here := p.server.next[name]
			if !there || !here {
				return part
			}
			log, difference, value = append(log, p.log()), append(difference, own-base), append(value, own)
			shared = shared && own == base
		}
		logs, differences, values = append(logs, log), append(differences, difference), append(values, value)
	}
	if shared {
		differences = values
	}
	part.Explained, part.Known = ratio.Explain(logs, differences)
	return part
}
