// Package windows looks into the rounds of an interleaved run: what its windows tell of the noise, and how narrow the intervals of the
// same measured time are by one way of reckoning or another. It decides nothing: verdicts are compare's. It is pure.
package windows

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// Window of a server.
type Window struct {
	// Arm whose it is; in a duet the baseline has one for each server that it is measured beside.
	Arm        string
	Start      time.Time
	Seconds    float64
	Operations float64
	// Counters of the store over the window, by name; nil where they are not known.
	Counters map[string]float64
}

// Pair of arms that are compared.
type Pair struct{ Server, Arm, Base string }

// Load of an interleaved run.
type Load struct {
	Cell  compare.Cell
	Duet  bool
	Pairs []Pair
	// Rounds of windows, in the order of time; in a duet the two of a pair follow each other.
	Rounds [][]Window
}

// Loads of a run that were interleaved, in order. Warm-up rounds and invalid measurements are left out; notes say what else is missing.
func Loads(run *archive.Run) (loads []Load, notes []string) {
	baseline := baselineOf(run)
	type unit struct{ installation, round, repeat int }
	at := map[compare.Cell]int{}
	rounds := map[compare.Cell]map[unit]int{}
	for i := range run.Rows {
		row := &run.Rows[i]
		log := run.Logs[row.Measurement]
		switch {
		case row.Warmup || !row.Valid, row.Objective != "", row.AtRest(): // a search chose its rates; who rests has none
			continue
		case log == nil:
			notes = append(notes, row.Measurement+" has no log")
			continue
		case !log.Windowed:
			continue
		}
		k := compare.CellOf(row)
		if _, there := at[k]; !there {
			at[k] = len(loads)
			rounds[k] = map[unit]int{}
			loads = append(loads, Load{Cell: k, Duet: row.Peer != ""})
		}
		load := &loads[at[k]]
		u := unit{row.Installation, row.Round, row.Repeat}
		if _, there := rounds[k][u]; !there {
			rounds[k][u] = len(load.Rounds)
			load.Rounds = append(load.Rounds, nil)
		}
		round := &load.Rounds[rounds[k][u]]
		*round = append(*round, windowsOf(log, armOf(row, baseline))...)
		load.pair(row, baseline)
	}
	for i := range loads {
		for _, round := range loads[i].Rounds {
			slices.SortStableFunc(round, func(a, b Window) int {
				if c := a.Start.Compare(b.Start); c != 0 {
					return c
				}
				return strings.Compare(a.Arm, b.Arm)
			})
		}
	}
	return loads, notes
}

func baselineOf(run *archive.Run) string {
	if run.Experiment != nil {
		return run.Experiment.Spec.BaselineName()
	}
	if len(run.Rows) > 0 {
		return run.Rows[0].Server
	}
	return ""
}

// armOf a row: its server, or in a duet the baseline beside another.
func armOf(row *results.Row, baseline string) string {
	if row.Peer != "" && row.Server == baseline {
		return baseline + "@" + row.Peer
	}
	return row.Server
}

// pair the row's server with what it is compared with.
func (l *Load) pair(row *results.Row, baseline string) {
	if row.Server == baseline {
		return
	}
	p := Pair{Server: row.Server, Arm: row.Server, Base: baseline}
	if l.Duet {
		p.Base = baseline + "@" + row.Server
	}
	if !slices.Contains(l.Pairs, p) {
		l.Pairs = append(l.Pairs, p)
	}
}

// windowsOf a log, with the operations of all tags of a kind that stands for them.
func windowsOf(log *measure.Log, arm string) []Window {
	kinds := log.Kinds()
	if len(kinds) == 0 {
		return nil
	}
	counters := countersOf(log)
	var out []Window
	for _, iv := range log.Intervals {
		if iv.Tag.Kind != kinds[0] {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Start.Equal(iv.Start) {
			out[n-1].Operations += float64(iv.Histogram.TotalCount())
			continue
		}
		out = append(out, Window{
			Arm: arm, Start: iv.Start, Seconds: iv.End.Sub(iv.Start).Seconds(),
			Operations: float64(iv.Histogram.TotalCount()), Counters: counters[iv.Start.UnixMilli()],
		})
	}
	return out
}

// Time from the first window of each round to its last: what the load took, the switches between windows among it.
func (l Load) Time() time.Duration {
	var sum time.Duration
	for _, round := range l.Rounds {
		if len(round) > 0 {
			last := round[len(round)-1]
			sum += last.Start.Add(time.Duration(last.Seconds * float64(time.Second))).Sub(round[0].Start)
		}
	}
	return sum
}

// Windows of all rounds.
func (l Load) Windows() int {
	n := 0
	for _, round := range l.Rounds {
		n += len(round)
	}
	return n
}

func (l Load) String() string {
	mode := v1alpha1.InterleaveWindows
	if l.Duet {
		mode = v1alpha1.InterleaveDuet
	}
	return fmt.Sprintf("%s, %s: %d rounds, %d windows in %s", l.Cell, mode, len(l.Rounds), l.Windows(), l.Time().Round(time.Second))
}
