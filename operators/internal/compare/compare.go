package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/published"
)

// Verdict on a server against its baseline.
type Verdict string

// Verdicts. Faster is better: a higher rate, a lower latency.
const (
	Faster     Verdict = "faster"
	Slower     Verdict = "slower"
	Unresolved Verdict = "unresolved"
)

// Comparison of a server with its baseline under one load, by one metric.
type Comparison struct {
	Baseline, Server string
	Cell             Cell
	Metric           Metric
	Estimate
	// BaselineValue and Value are geometric means over the rounds compared.
	BaselineValue, Value float64
	Verdict              Verdict
	// Reason for a verdict that is unresolved, or one that is not to be trusted.
	Reason string
	// AA marks a server that is the baseline under a second name: its ratio is noise.
	AA bool
	// Published ratio of the two; NaN where none was published.
	Published float64
}

// Result of comparing.
type Result struct {
	Comparisons []Comparison
	// Notes say, one line each, what was left out, and what the figures cannot say.
	Notes []string
}

// Within compares the servers of one run with the baseline; empty is the document's own.
func Within(run *archive.Run, baseline string) (*Result, error) {
	servers := Servers(run)
	if baseline == "" && run.Experiment != nil {
		baseline = run.Experiment.Spec.BaselineName()
	}
	if baseline == "" && len(servers) > 0 {
		baseline = servers[0]
	}
	if !slices.Contains(servers, baseline) {
		return nil, fmt.Errorf("run %s has no server %q to compare with: choose from %s", run.ID(), baseline, strings.Join(servers, ", "))
	}
	if len(servers) < 2 {
		return nil, fmt.Errorf("run %s has one server, %s: %w", run.ID(), baseline, ErrNothingToCompare)
	}
	var result Result
	base := Arm{run, baseline}
	for _, server := range servers {
		if server != baseline {
			result.add(base, Arm{run, server}, baseline, server)
		}
	}
	result.conclude()
	return &result, nil
}

// ErrNothingToCompare says that there are no two things.
var ErrNothingToCompare = errors.New("there is nothing to compare it with")

// Runs compares the servers that two runs have in common; a is the base.
func Runs(a, b *archive.Run) (*Result, error) {
	var result Result
	inB := Servers(b)
	for _, server := range Servers(a) {
		if slices.Contains(inB, server) {
			result.add(Arm{a, server}, Arm{b, server}, a.ID()+"/"+server, b.ID()+"/"+server)
		}
	}
	if len(result.Comparisons) == 0 {
		return nil, fmt.Errorf("runs %s (%s) and %s (%s) have no server under the same load in common: %w", a.ID(), strings.Join(Servers(a), ", "),
			b.ID(), strings.Join(inB, ", "), ErrNothingToCompare)
	}
	result.Notes = append(result.Notes, "two runs share no rounds: their own ups and downs are in the ratios, and a difference between the runs' machines would be too")
	result.conclude()
	return &result, nil
}

// Arms compares two servers of one run or of two.
func Arms(base, other Arm) (*Result, error) {
	var result Result
	result.add(base, other, base.Server, other.Server)
	if len(result.Comparisons) == 0 {
		return nil, fmt.Errorf("%s and %s were not measured under the same load: %w", base.Server, other.Server, ErrNothingToCompare)
	}
	result.conclude()
	return &result, nil
}

// Servers of a run, in the document's order where it is known, else in the order of the rows.
func Servers(run *archive.Run) []string {
	var there, ordered []string
	for _, row := range run.Rows {
		if !slices.Contains(there, row.Server) {
			there = append(there, row.Server)
		}
	}
	if run.Experiment != nil {
		for _, server := range run.Experiment.Spec.Servers {
			if slices.Contains(there, server.Name) {
				ordered = append(ordered, server.Name)
			}
		}
	}
	for _, server := range there {
		if !slices.Contains(ordered, server) {
			ordered = append(ordered, server)
		}
	}
	return ordered
}

func (r *Result) add(base, other Arm, baseName, otherName string) {
	a, b := draw(base), draw(other)
	for _, note := range append(slices.Clone(a.notes), b.notes...) {
		if !slices.Contains(r.Notes, note) {
			r.Notes = append(r.Notes, note)
		}
	}
	same := base.Run == other.Run
	for _, cell := range a.cells {
		for _, metric := range Metrics() {
			bases, values := a.values[cell][metric.Name], b.values[cell][metric.Name]
			if len(bases) == 0 || len(values) == 0 {
				continue
			}
			c := Comparison{Baseline: baseName, Server: otherName, Cell: cell, Metric: metric, AA: isAA(base, other), Published: publishedRatio(base, other, cell, metric)}
			if c.estimate(bases, values, same) {
				r.Comparisons = append(r.Comparisons, c)
			}
		}
	}
}

// estimate fills the comparison in; false when no round has both.
func (c *Comparison) estimate(bases, values map[int]float64, paired bool) bool {
	x, y := all(bases), all(values)
	if paired {
		x, y = pairs(bases, values)
	}
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	if paired {
		c.Estimate = Paired(x, y)
	} else {
		c.Estimate = Unpaired(x, y)
	}
	c.BaselineValue, c.Value = geometricMean(x), geometricMean(y)
	c.Verdict, c.Reason = judge(c.Estimate, c.Metric.HigherIsBetter)
	return true
}

// pairs are the figures of the rounds that both have, in order of the rounds.
func pairs(bases, values map[int]float64) (x, y []float64) {
	for _, round := range rounds(bases) {
		if value, both := values[round]; both {
			x, y = append(x, bases[round]), append(y, value)
		}
	}
	return x, y
}

func all(values map[int]float64) []float64 {
	var out []float64
	for _, round := range rounds(values) {
		out = append(out, values[round])
	}
	return out
}

func rounds(values map[int]float64) []int {
	var out []int
	for round := range values {
		out = append(out, round)
	}
	slices.Sort(out)
	return out
}

// judge says what an interval allows to say.
func judge(e Estimate, higherIsBetter bool) (Verdict, string) {
	switch {
	case !e.Known():
		return Unresolved, fmt.Sprintf("%s: the spread between rounds cannot be known from fewer than %d (repeats within a store are not independent)",
			plural(e.Rounds, "round"), MinRounds)
	case e.Low <= 1 && e.High >= 1:
		return Unresolved, fmt.Sprintf("the interval holds 1; a ratio within %.3f to %.3f would have been missed", 1/e.MDE, e.MDE)
	case (e.Ratio > 1) == higherIsBetter:
		return Faster, ""
	}
	return Slower, ""
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Vetoed says that the interval alone would have given a verdict, and something else forbids it: the reason says what.
func (c *Comparison) Vetoed() bool {
	verdict, _ := judge(c.Estimate, c.Metric.HigherIsBetter)
	return c.Verdict == Unresolved && verdict != Unresolved
}

// isAA says that the other arm is the base under a second name: the same type, and no values of its own.
func isAA(base, other Arm) bool {
	if base.Run != other.Run || base.Server == other.Server {
		return false
	}
	if experiment := base.Run.Experiment; experiment != nil {
		for _, server := range experiment.Spec.Servers {
			if (server.Name == base.Server || server.Name == other.Server) && server.Values != nil {
				return false
			}
		}
	}
	return typeOf(base) != "" && typeOf(base) == typeOf(other)
}

func typeOf(arm Arm) string {
	_, serverType := arm.kind()
	return serverType
}

// kind is the store and the server type of an arm.
func (arm Arm) kind() (store, serverType string) {
	for _, row := range arm.Run.Rows {
		if row.Server == arm.Server {
			return row.Store, row.ServerType
		}
	}
	return "", ""
}

func publishedRatio(base, other Arm, cell Cell, metric Metric) float64 {
	baseStore, baseType := base.kind()
	store, serverType := other.kind()
	ratio, there := published.Ratio(store, serverType, baseType, cell.Operation, metric.Name)
	if !there || store != baseStore {
		return math.NaN()
	}
	return ratio
}

// conclude holds the verdicts against the A/A arm's noise and says how many of them chance alone would give.
func (r *Result) conclude() {
	type place struct {
		baseline string
		cell     Cell
		metric   string
	}
	noise := map[place]*Comparison{}
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; c.AA && c.Known() {
			noise[place{c.Baseline, c.Cell, c.Metric.Name}] = c
		}
	}
	resolved, known := 0, 0
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if c.AA {
			if c.Verdict != Unresolved {
				c.Reason = "the same server under two names seems to differ: there is noise that the interval does not cover"
			}
			continue
		}
		aa := noise[place{c.Baseline, c.Cell, c.Metric.Name}]
		if c.Verdict != Unresolved && aa != nil && c.Ratio >= aa.Low && c.Ratio <= aa.High {
			c.Verdict = Unresolved
			c.Reason = fmt.Sprintf("within the noise that the A/A arm %s shows, %.3f to %.3f", aa.Server, aa.Low, aa.High)
		}
		if c.Known() {
			known++
		}
		if c.Verdict != Unresolved {
			resolved++
		}
	}
	if resolved > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d ratios are resolved; at 95%% about %.1f would seem so by chance if all servers were equal", resolved, known, 0.05*float64(known)))
	}
}
