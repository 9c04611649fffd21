// Package answer reduces a comparison to what fits on one screen: a row for each server, a column for each load's primary metric, what limits
// the claim, and the next command.
package answer

import (
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Answer of one comparison.
type Answer struct {
	// Columns in the order of the experiment's phases.
	Columns []Column
	// Servers that are compared with a baseline, in the experiment's order; A/A arms come last.
	Servers []Server
	// Baseline that ratios are taken to. Two runs have one for each server.
	Baseline string
	// Valid of Measured measurements, without those that warm up.
	Valid, Measured int
	// Limits of the claim, one sentence each.
	Limits []string
	// Sentences are the verdicts in words, the largest effect first; Open is one sentence on what is unresolved, empty if nothing is.
	Sentences []Sentence
	Open      string
	// Warned names the gates that warned; empty if none did.
	Warned string
	// Files says where the other figures are; the caller sets it.
	Files string
	// Next is what to do where something is unresolved; empty where nothing is.
	Next string
}

// Server is one row.
type Server struct {
	Name string
	// Baseline that its ratios are taken to.
	Baseline string
	// AA marks the baseline under a second name.
	AA bool
}

// Column is one load with its primary metric, or a sweep of loads.
type Column struct {
	// Load and Metric as people read them.
	Load, Metric string
	// BaselineFigures are the own values of each baseline with their unit; none for a sweep.
	BaselineFigures map[string]string
	// Comparisons in the order of the servers, A/A arms last; none for a sweep.
	Comparisons []compare.Comparison
	cells       map[string]Cell
}

// Cell of a server under a load; the zero value where it was not compared.
type Cell struct {
	// Text is the effect with its interval: 1.21 [1.09, 1.35].
	Text string
	// Mark is the verdict.
	Mark Mark
}

// Of returns the cell of a server.
func (c Column) Of(server string) Cell { return c.cells[server] }

// Sign of a mark; empty for None.
func (m Mark) Sign() string { return signs[m] }

// Effect of a comparison with its interval, as in a cell: 1.21 [1.09, 1.35].
func Effect(c *compare.Comparison) string { return cellOf(c).Text }

// Mark is a verdict as a sign.
type Mark int

// Marks, in the order in which a legend explains them.
const (
	// None is for cells without a verdict.
	None Mark = iota
	Better
	Worse
	Equivalent
	Unresolved
)

// Of reduces a comparison. The run is the one whose servers were compared; of two runs the base.
func Of(run *archive.Run, result *compare.Result) Answer {
	a := Answer{}
	for _, c := range result.Comparisons {
		if a.Baseline == "" {
			a.Baseline = c.Baseline
		}
		if !slices.ContainsFunc(a.Servers, func(s Server) bool { return s.Name == c.Server }) {
			a.Servers = append(a.Servers, Server{Name: c.Server, Baseline: c.Baseline, AA: c.AA})
		}
	}
	slices.SortStableFunc(a.Servers, func(x, y Server) int { return order(x.AA) - order(y.AA) })
	compared := runsOf(run, result)
	for _, run := range compared {
		a.count(run)
	}
	a.Columns = columns(result, run.Units())
	a.Sentences, a.Open = sentences(result, run.Units()), open(result)
	a.Limits, a.Warned = limits(run, result), warned(compared...)
	a.Next = next(run, result)
	return a
}

// runsOf returns the runs whose servers were compared.
func runsOf(run *archive.Run, result *compare.Result) []*archive.Run {
	all := []*archive.Run{run}
	for i := range result.Comparisons {
		for _, arm := range result.Comparisons[i].Arms() {
			if !slices.Contains(all, arm.Run) {
				all = append(all, arm.Run)
			}
		}
	}
	return all
}

// baselines returns the baselines in the order of the servers.
func (a *Answer) baselines() []string {
	var names []string
	for _, s := range a.Servers {
		if !slices.Contains(names, s.Baseline) {
			names = append(names, s.Baseline)
		}
	}
	return names
}

func (a *Answer) count(run *archive.Run) {
	for i := range run.Rows {
		if row := &run.Rows[i]; !row.Warmup && row.Profile == "" {
			a.Measured++
			if row.Valid {
				a.Valid++
			}
		}
	}
}

func order(aa bool) int {
	if aa {
		return 1
	}
	return 0
}

// columns of the primary metrics, in the order of their loads. A sweep is one column: a dozen loads would be a dozen.
func columns(result *compare.Result, in textfmt.Units) []Column {
	sweeps := result.Sweeps()
	var out []Column
	place := map[string]int{}
	for i := range result.Comparisons {
		c := &result.Comparisons[i]
		if !c.Primary {
			continue
		}
		load, swept := LoadName(result, c), false
		if at := slices.IndexFunc(sweeps, func(s compare.Sweep) bool { return s.Holds(c.Cell) }); at >= 0 {
			load, swept = sweeps[at].Name(sweeps), true
		}
		key := load + "\x00" + c.Metric.Name
		at, known := place[key]
		if !known {
			at = len(out)
			place[key] = at
			metric := c.Metric.In(in)
			title := metric.Title
			if c.Duet {
				title += " (duet)"
			}
			out = append(out, Column{Load: load, Metric: title, cells: map[string]Cell{}, BaselineFigures: map[string]string{}})
		}
		if own := out[at].BaselineFigures[c.Baseline]; !swept && (own == "" || own == notKnown) {
			out[at].BaselineFigures[c.Baseline] = figure(c.Metric.In(in), c.BaselineValue, in)
		}
		if swept {
			out[at].cells[c.Server] = Cell{} // counted below
			continue
		}
		out[at].cells[c.Server] = cellOf(c)
		out[at].Comparisons = append(out[at].Comparisons, *c)
	}
	for i := range out {
		slices.SortStableFunc(out[i].Comparisons, func(x, y compare.Comparison) int { return order(x.AA) - order(y.AA) })
		for server, cell := range out[i].cells {
			if cell == (Cell{}) {
				out[i].cells[server] = sweepCell(result, sweeps, out[i].Load, server)
			}
		}
	}
	return out
}

// MarkOf a comparison; None for an A/A arm.
func MarkOf(c *compare.Comparison) Mark {
	if c.AA {
		return None
	}
	return markOf(c)
}

// Verdict of a comparison in a word, with its sign; A/A for such an arm.
func Verdict(c *compare.Comparison) string {
	if c.AA {
		return "A/A"
	}
	return strings.TrimSpace(signs[markOf(c)] + " " + c.Word())
}

func markOf(c *compare.Comparison) Mark {
	switch c.Verdict {
	case ratio.Faster:
		return Better
	case ratio.Slower:
		return Worse
	case ratio.Equivalent:
		return Equivalent
	case ratio.Unresolved:
		return Unresolved
	}
	return None
}
