// Package windows analyses the rounds of an interleaved run: the noise of its windows, and the width of the intervals that different
// methods give for the same data. It makes no decisions; compare gives the verdicts. It is pure.
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

// Window is a window of a server.
type Window struct {
	// Arm of the window. In a duet, the baseline has one arm for each server that it is measured next to.
	Arm        string
	Start      time.Time
	Seconds    float64
	Operations float64
	// Counters of the store over the window, by name; nil if unknown.
	Counters map[string]float64
}

// Pair is a pair of arms that are compared.
type Pair struct{ Server, Arm, Base string }

// Load is one load of an interleaved run.
type Load struct {
	Cell  compare.Cell
	Duet  bool
	Pairs []Pair
	// Rounds of windows, in order of time. In a duet, the two windows of a pair follow each other.
	Rounds [][]Window
}

// Loads returns the interleaved loads of a run in order, without warm-up rounds and invalid measurements. The notes list what else is
// missing.
func Loads(run *archive.Run) (loads []Load, notes []string) {
	baseline := baselineOf(run)
	type unit struct{ installation, round, repeat int }
	at := map[compare.Cell]int{}
	rounds := map[compare.Cell]map[unit]int{}
	for i := range run.Rows {
		row := &run.Rows[i]
		log := run.Logs[row.Measurement]
		switch {
		case row.Warmup || !row.Valid, row.Objective != "", row.AtRest(): // a search has varying rates, an idle phase has none
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

// armOf returns the arm of a row: its server or, for the baseline of a duet, the baseline with its peer.
func armOf(row *results.Row, baseline string) string {
	if row.Peer != "" && row.Server == baseline {
		return baseline + "@" + row.Peer
	}
	return row.Server
}

// pair adds the pair of the row's server and its baseline.
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

// windowsOf returns the windows of a log, with the operations of all tags of the log's first latency kind, which counts every operation.
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

// Time returns the time from the first window of each round to its last, including the switches between windows.
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

// Windows returns the number of windows of all rounds.
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
