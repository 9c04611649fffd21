package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// conclude sets the verdicts of each load's primary metric, corrected for the number of servers and checked against the A/A arms.
// The margins of equivalence are those of the run, unless the options have others.
func (r *Result) conclude(run *archive.Run, options Options) {
	r.noteAbsent()
	cells := r.cells()
	for _, cell := range cells {
		here := r.of(cell)
		for _, c := range here {
			c.Load = cell.NameAmong(cells)
		}
		primary := r.primary(cell, here, options)
		var family []*Comparison
		arms := map[string][]ratio.Noise{}
		for _, c := range here {
			c.Primary, c.Margin = c.Metric.Name == primary, options.margin(run, cell.Phase, c.Metric.Difference)
			c.Finding = ratio.Finding{Verdict: ratio.Descriptive, Least: c.MDE}
			if math.IsNaN(c.Ratio) {
				c.Reason = c.Unknown
			}
			if c.AA {
				c.judgeAA()
				arms[c.Baseline] = append(arms[c.Baseline], noiseOf(c)...)
			} else if c.Primary {
				family = append(family, c)
			}
		}
		judge(family, arms)
	}
	r.noteMissing()
	r.Comparisons = slices.DeleteFunc(r.Comparisons, func(c Comparison) bool { return !c.Primary && (c.Metric.PrimaryOnly || c.few) })
	r.noteRates()
}

func (r *Result) primary(cell Cell, here []*Comparison, options Options) string {
	asked := options.Primary
	if asked == "" {
		asked = r.declared[cell]
	}
	var measured []string
	for _, c := range here {
		measured = append(measured, c.Metric.Name)
	}
	primary := primaryMetric(asked, int64(cell.TargetRate), measured)
	if !slices.Contains(measured, primary) {
		r.Gaps = append(r.Gaps, fmt.Sprintf("%s: no verdict, because its primary metric %s has no figures", here[0].Load, primary))
	}
	return primary
}

// noiseOf returns the noise that a primary A/A arm shows; nothing for other metrics.
func noiseOf(c *Comparison) []ratio.Noise {
	if !c.Primary {
		return nil
	}
	return []ratio.Noise{{Server: c.Server, Estimate: c.Estimate}}
}

// judgeAA gives an A/A arm no verdict, but reports if it seems to differ from itself, in every metric.
func (c *Comparison) judgeAA() {
	if c.Primary {
		c.Finding = ratio.Finding{Verdict: ratio.Unresolved, Reason: c.Unknown, Least: c.MDE}
	}
	if c.Differs() {
		c.Withheld, c.Reason = c.Primary, "the A/A arm, the same server under two names, seems to differ: there is noise that the interval does not cover"
	}
}

func judge(family []*Comparison, arms map[string][]ratio.Noise) {
	estimates := make([]ratio.Estimate, len(family))
	for i, c := range family {
		estimates[i] = c.Estimate
	}
	for i, e := range ratio.Simultaneous(estimates) {
		c := family[i]
		c.Estimate = e
		c.Finding = ratio.Judge(e, ratio.Question{HigherIsBetter: c.Metric.HigherIsBetter, Margin: c.Margin, Arms: arms[c.Baseline]})
	}
}

// cells returns the compared cells in order.
func (r *Result) cells() []Cell {
	var cells []Cell
	seen := map[Cell]bool{}
	for i := range r.Comparisons {
		if cell := r.Comparisons[i].Cell; !seen[cell] {
			seen[cell] = true
			cells = append(cells, cell)
		}
	}
	return cells
}

func (r *Result) of(cell Cell) []*Comparison {
	var here []*Comparison
	for i := range r.Comparisons {
		if r.Comparisons[i].Cell == cell {
			here = append(here, &r.Comparisons[i])
		}
	}
	return here
}

// noteMissing notes which rounds are missing, and of what nothing is known. What a primary metric lacks is noted once for all metrics of its load.
func (r *Result) noteMissing() {
	lacks := func(c *Comparison) string { return fmt.Sprintf("%s: %s", c.Load, c.Missing()) }
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; c.Primary && c.Missing() != "" {
			r.note(lacks(c))
		}
	}
	var few []string // loads with a percentile of which a round has too few operations
	servers := map[string][]string{}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		switch {
		case c.Primary || c.Metric.PrimaryOnly || c.Missing() != "" && slices.Contains(r.Notes, lacks(c)):
		case math.IsNaN(c.Ratio) && c.few:
			what := fmt.Sprintf("%s, %s", c.Load, c.Metric.Title)
			if servers[what] == nil {
				few = append(few, what)
			}
			servers[what] = append(servers[what], c.Server)
		case math.IsNaN(c.Ratio):
			r.note(fmt.Sprintf("%s, %s, %s: %s", c.Server, c.Load, c.Metric.Title, c.Unknown))
		case c.Missing() != "":
			r.note(fmt.Sprintf("%s, %s: %s", c.Load, c.Metric.Title, c.Missing()))
		}
	}
	for _, what := range few {
		r.note(fmt.Sprintf("%s: not compared for %s: a round has fewer than ten operations beyond this percentile on average", what, strings.Join(servers[what], ", ")))
	}
}

// Caveats returns caveats of the shown comparisons, a line each: which latencies are of different loads, and how many differences are expected
// by chance.
func Caveats(comparisons []Comparison) []string {
	var lines []string
	verdicts, described := map[Cell]int{}, 0
	for i := range comparisons {
		if load := comparisons[i].otherLoad; load != "" && !slices.Contains(lines, load) {
			lines = append(lines, load)
		}
		switch c := &comparisons[i]; {
		case c.AA || !c.Known():
		case c.Primary:
			verdicts[c.Cell]++
		default:
			described++
		}
	}
	if len(verdicts) > 0 {
		most := 0
		for _, n := range verdicts {
			most = max(most, n)
		}
		lines = append(lines, fmt.Sprintf("verdicts use one primary metric per load, corrected for its servers (up to %d): about 1 in 20 loads has a false verdict or interval", most))
	}
	switch {
	case described == 1:
		lines = append(lines, "1 comparison is descriptive, with an uncorrected 95% interval: it shows a difference by chance in 1 of 20 runs if the servers are equal")
	case described > 1:
		lines = append(lines, fmt.Sprintf("%d comparisons are descriptive, with uncorrected 95%% intervals: about %.1f would show a difference by chance if all servers were equal",
			described, 0.05*float64(described)))
	}
	return lines
}
