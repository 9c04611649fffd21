package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Sentence is a verdict in words.
type Sentence struct {
	Text string
	Mark Mark
}

// sentences of the primary metrics: what differs, the largest effect first, then sweeps, then what is equivalent.
func sentences(result *compare.Result, in textfmt.Units) []Sentence {
	var differ, equal []Sentence
	resolved, sweeps := verdicts(result)
	slices.SortStableFunc(resolved, func(x, y *compare.Comparison) int {
		return cmp.Compare(math.Abs(y.Scaled(y.Ratio)), math.Abs(x.Scaled(x.Ratio)))
	})
	for _, c := range resolved {
		switch mark := markOf(c); mark {
		case Better, Worse:
			differ = append(differ, Sentence{about(result, c) + difference(c, in), mark})
		case Equivalent:
			equal = append(equal, Sentence{about(result, c) + equivalence(c), mark})
		}
	}
	return slices.Concat(differ, ofSweeps(result, sweeps), equal)
}

// verdicts are the primary comparisons that are no A/A arms, without those of sweeps, and the sweeps.
func verdicts(result *compare.Result) ([]*compare.Comparison, []compare.Sweep) {
	sweeps := result.Sweeps()
	var out []*compare.Comparison
	for i := range result.Comparisons {
		c := &result.Comparisons[i]
		if c.Primary && !c.AA && !slices.ContainsFunc(sweeps, func(s compare.Sweep) bool { return s.Holds(c.Cell) }) {
			out = append(out, c)
		}
	}
	return out, sweeps
}

// phrase is what a server does, by a metric: it answers more reads, it takes less CPU time per read.
type phrase struct{ verb, more, less, object string }

// phraseOf a metric. The object is of one operation, or of several; false for a metric without a phrase of its own.
func phraseOf(c *compare.Comparison, one, several string) (phrase, bool) {
	switch name := c.Metric.Name; {
	case name == "op_rate":
		return phrase{"answers", "more", "fewer", several}, true
	case name == compare.Capacity:
		return phrase{"sustains", "more", "fewer", several + " per second within its latency objective"}, true
	case name == results.CPUPerOperation:
		return phrase{"takes", "more", "less", "CPU time per " + one}, true
	case name == results.CPUOfServer:
		return phrase{"takes", "more", "less", "CPU time of its own threads per " + one}, true
	case name == results.Switches:
		return phrase{"takes", "more", "fewer", "context switches per " + one}, true
	case name == results.CPUAtRest:
		return phrase{"uses", "more", "less", "CPU at rest"}, true
	case name == results.RecoveryTime:
		return phrase{"takes", "more", "less", "time to recover from a kill"}, true
	case name == results.FaultLost:
		return phrase{"loses", "more", "less", "to a fault"}, true
	case name == results.FaultMeanRecover:
		return phrase{"takes", "more", "less", "to recover from a fault"}, true
	case name == results.FaultMeanDetect:
		return phrase{"takes", "more", "less", "until a fault is noticed"}, true
	case c.Metric.Percentile == 50:
		return phrase{"has a", "higher", "lower", "median latency of " + several}, true
	case c.Metric.Percentile > 0:
		return phrase{"has a", "higher", "lower", c.Metric.Title + " percentile latency of " + several}, true
	}
	return phrase{}, false
}

// severalTimes is the ratio from which on a percentage is hard to read.
const severalTimes = 3

// difference in words: disruptor answers 21% more reads than hsha [10%, 34%].
func difference(c *compare.Comparison, in textfmt.Units) string {
	p, known := phraseOf(c, operation(c, in), operations(c, in))
	if !known || !c.Difference && c.Ratio >= severalTimes {
		figures := strings.Replace(cellOf(c).Text, " [", " times "+c.Baseline+"'s [", 1)
		return fmt.Sprintf("%s's %s is %s", c.Server, c.Metric.Title, figures)
	}
	comparative := p.more
	if c.Ratio < c.Equal() {
		comparative = p.less
	}
	than := c.Baseline
	if c.Duet {
		than += " next to it"
	}
	return fmt.Sprintf("%s %s %s %s %s than %s [%s]", c.Server, p.verb, size(c, c.Ratio), comparative, p.object, than, span(c))
}

func equivalence(c *compare.Comparison) string {
	low, high := signed(c, c.Low), signed(c, c.High)
	if c.Difference {
		low, high, _ = c.Interval()
	}
	return fmt.Sprintf("%s is equivalent to %s within %s [%s, %s]", c.Server, c.Baseline, c.Margin, low, high)
}

// operation of a load in words, one of them and several. A store that calls its operations something else has another name for them.
func operation(c *compare.Comparison, in textfmt.Units) string {
	if !in.Named() && plain(c.Cell.Operation) {
		return c.Cell.Operation
	}
	return strings.TrimSuffix(in.Operations(), "s")
}

func operations(c *compare.Comparison, in textfmt.Units) string {
	if !in.Named() && plain(c.Cell.Operation) {
		return c.Cell.Operation + "s"
	}
	return in.Operations()
}

func plain(operation string) bool { return operation == "read" || operation == "write" }

// about names the load, where the sentence itself does not.
func about(result *compare.Result, c *compare.Comparison) string {
	name := LoadName(result, c)
	if name == c.Cell.Operation && plain(name) && markOf(c) != Equivalent {
		return ""
	}
	return name + ": "
}

// size of an effect, without its sign: 21%, 3.2 s, or 0.041 s.
func size(c *compare.Comparison, figure float64) string {
	if c.Difference {
		return strings.TrimLeft(strings.TrimSpace(digits(c.Metric.Shown(figure), 2)+" "+c.Metric.Unit()), "-")
	}
	return textfmt.ShortPercent(math.Abs(figure-1), percentDecimals(c))
}

// span of an effect, from the smaller end to the larger.
func span(c *compare.Comparison) string {
	low, high := size(c, c.Low), size(c, c.High)
	if c.Ratio < c.Equal() {
		low, high = high, low
	}
	return low + ", " + high
}

// signed end of an interval of ratios: -1.2%.
func signed(c *compare.Comparison, figure float64) string {
	return fmt.Sprintf("%+.*f%%", percentDecimals(c), 100*(figure-1))
}

func percentDecimals(c *compare.Comparison) int { return decimals(c) - 2 }

// ofSweeps has a sentence for each server in each sweep.
func ofSweeps(result *compare.Result, sweeps []compare.Sweep) []Sentence {
	var out []Sentence
	for _, sweep := range sweeps {
		seen := map[string]bool{}
		for i := range result.Comparisons {
			c := &result.Comparisons[i]
			if !c.Primary || c.AA || seen[c.Server] || !sweep.Holds(c.Cell) {
				continue
			}
			seen[c.Server] = true
			cell := sweepCell(result, sweeps, sweep.Name(sweeps), c.Server)
			if cell.Mark == Unresolved {
				continue
			}
			effects, verdicts, several := strings.Cut(cell.Text, ", ")
			text := fmt.Sprintf("%s: %s's %s is %s times %s's", sweep.Name(sweeps), c.Server, c.Metric.Title, effects, c.Baseline)
			if c.Difference {
				text = fmt.Sprintf("%s: %s's %s differs from %s's by %s", sweep.Name(sweeps), c.Server, c.Metric.Title, c.Baseline, effects)
			}
			if several {
				text += " (" + verdicts + ")"
			}
			out = append(out, Sentence{text, cell.Mark})
		}
	}
	return out
}

// open is one sentence on what is unresolved, by load, with minimum detectable effects; empty if nothing is.
func open(result *compare.Result) string {
	var loads []string
	servers, effects := map[string][]string{}, map[string][]*compare.Comparison{}
	for _, c := range unresolved(result) {
		load := LoadName(result, c)
		if len(servers[load]) == 0 {
			loads = append(loads, load)
		}
		servers[load] = append(servers[load], c.Server)
		effects[load] = append(effects[load], c)
	}
	parts := make([]string, len(loads))
	for i, load := range loads {
		parts[i] = "on " + load + " " + listed(servers[load]) + " (" + detectable(result, effects[load]) + ")"
	}
	if len(parts) == 0 {
		return ""
	}
	return "Unresolved: " + strings.Join(parts, "; ") + "."
}

// detectable are the minimum detectable effects of comparisons, or why there are none.
func detectable(result *compare.Result, of []*compare.Comparison) string {
	least, most := math.Inf(1), math.Inf(-1)
	for _, c := range of {
		if !math.IsNaN(c.Least) {
			least, most = min(least, c.Least), max(most, c.Least)
		}
	}
	c := of[0]
	switch {
	case !math.IsInf(least, 0):
		text := "minimum detectable effect " + minimum(c, least)
		if minimum(c, most) != minimum(c, least) {
			text += " to " + minimum(c, most)
		}
		return text
	case withheld(result):
		return "the A/A arm differs from itself"
	}
	return cmp.Or(c.Unknown, c.Reason)
}

func minimum(c *compare.Comparison, least float64) string {
	if c.Difference {
		return size(c, least)
	}
	return textfmt.ShortPercent(least-1, 1)
}

// listed joins names as a sentence does.
func listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// LoadName is the load of a comparison as the experiment names its phase, with its rate; the load's own name where a phase has several loads,
// or several phases have one name.
func LoadName(result *compare.Result, c *compare.Comparison) string {
	if c.Cell.Phase == "" {
		return c.Load
	}
	for i := range result.Comparisons {
		if other := result.Comparisons[i].Cell; other.Phase == c.Cell.Phase && other != c.Cell {
			return c.Load
		}
	}
	if c.Cell.TargetRate > 0 {
		return fmt.Sprintf("%s, %d/s", c.Cell.Phase, c.Cell.TargetRate)
	}
	return c.Cell.Phase
}
