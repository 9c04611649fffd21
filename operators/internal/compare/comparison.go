package compare

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Comparison is the comparison of a server with its baseline under one load, by one metric.
type Comparison struct {
	Baseline, Server string
	Cell             Cell
	// Load is the cell's name, unique among the compared cells.
	Load   string
	Metric Metric
	// Estimate is that of the ratio, or of the difference for metrics compared by differences. For the primary metric, it is corrected for
	// the number of servers.
	ratio.Estimate
	// BaselineValue and Value are geometric means over the compared rounds; for differences, arithmetic means.
	BaselineValue, Value float64
	// Finding is the verdict. Only the primary metric has one.
	ratio.Finding
	// Primary marks the metric of this load's verdicts.
	Primary bool
	// Margin is the margin of equivalence.
	Margin ratio.Distance
	// Scope is what the verdict applies to.
	Scope string
	// Lost are the rounds that the baseline lacks, and those that the server lacks.
	Lost [2]Lost
	// AA marks a server that is the baseline under a second name: its ratio is noise.
	AA bool
	// Duet marks two servers that were under load at the same moment: they compete, so the size of the effect is not that between servers that
	// run alone.
	Duet bool
	// SettingsDiffer names the settings in which the two differed at run time: "none", or empty if not known.
	SettingsDiffer string
	// Published is the published ratio of the two; NaN if none was published.
	Published float64
	// AdjustedFor is what the interval was adjusted for; empty for nothing.
	AdjustedFor string
	// otherLoad explains the effect of different loads on this metric; empty if the loads were the same.
	otherLoad string
	// arms are the baseline and the server.
	arms [2]Arm
	// measured is true if both have a figure in any round; few if they have too few operations for a percentile.
	measured, few bool
	// sample holds the effects of the rounds; none for two runs, which share no rounds.
	sample ratio.Sample
}

// shownDecimals is the number of decimals of a ratio or difference, of its interval and of its minimum detectable effect. The effect of a
// fault may be hundredths of a second.
const shownDecimals = 3

// Statement returns the verdict in words.
func (c *Comparison) Statement() string {
	switch c.Verdict {
	case ratio.Faster, ratio.Slower:
		return fmt.Sprintf("%s %s", c.Word(), c.Scope)
	case ratio.Equivalent:
		return fmt.Sprintf("%s within %s %s", c.Verdict, c.Margin, c.Scope)
	case ratio.Unresolved:
		if c.AA {
			return "A/A"
		}
		if !math.IsNaN(c.Least) {
			return fmt.Sprintf("%s, minimum detectable effect %s", c.Verdict, c.effect(c.Least))
		}
	}
	return string(c.Verdict)
}

// Effect formats the ratio, or the difference with its sign and unit; empty if it is unknown.
func (c *Comparison) Effect() string { return c.text(c.Ratio) }

// Sized formats the effect with its kind: ratio 0.783, difference +3.200 s.
func (c *Comparison) Sized() string {
	if c.Difference {
		return "difference " + c.Effect()
	}
	return "ratio " + c.Effect()
}

// Interval formats both ends in the same way; false if the spread is unknown.
func (c *Comparison) Interval() (from, to string, known bool) {
	return c.text(c.Low), c.text(c.High), c.Known()
}

func (c *Comparison) text(figure float64) string {
	text := Decimals(figure, shownDecimals)
	if !c.Difference || text == "" {
		return text
	}
	text = differenceText(c.Metric.Shown(figure))
	if figure > 0 {
		text = "+" + text
	}
	return strings.TrimSpace(text + " " + c.Metric.Unit())
}

// differenceText formats a difference in its unit, with two digits of one that would be 0 otherwise.
func differenceText(figure float64) string {
	decimals := shownDecimals
	if size := math.Abs(figure); size > 0 && size < math.Pow10(-decimals) {
		decimals = 1 - int(math.Floor(math.Log10(size)))
	}
	return Decimals(figure, decimals)
}

// effect formats the size of an effect: a share for ratios.
func (c *Comparison) effect(least float64) string {
	if c.Difference {
		return strings.TrimSpace(differenceText(c.Metric.Shown(least)) + " " + c.Metric.Unit())
	}
	return textfmt.ShortPercent(least-1, 1)
}

// Beyond reports whether a figure of the comparison is further from equal than a share of the baseline's value.
func (c *Comparison) Beyond(figure, share float64) bool {
	if c.Difference {
		return math.Abs(figure) > share*c.BaselineValue
	}
	return figure > 1+share || figure < 1-share
}

// Word returns the verdict's word: "faster" by a cost is "less".
func (c *Comparison) Word() string {
	switch c.Verdict {
	case ratio.Faster:
		return cmp.Or(c.Metric.Better, string(c.Verdict))
	case ratio.Slower:
		return cmp.Or(c.Metric.Worse, string(c.Verdict))
	}
	return string(c.Verdict)
}

// Missing describes the rounds that the two servers lack; empty if there are none.
func (c *Comparison) Missing() string {
	text := c.Lost[0].String()
	if own := c.Lost[1].String(); text != "" && own != "" {
		return text + ", and " + own
	} else if own != "" {
		return own
	}
	return text
}

// ServerLost reports whether only the server lacks so many rounds that nothing is known of it: a slow server misses a rate, or times out.
func (c *Comparison) ServerLost() bool { return c.Lost[1].TooMany() && !c.Lost[0].TooMany() }

// DropoutsText counts the missing rounds of both; empty if there are none.
func (c *Comparison) DropoutsText() string { return dropouts(c.Lost[:]...) }

// Arms returns the baseline and the server.
func (c *Comparison) Arms() [2]Arm { return c.arms }

// OtherLoad explains that the two were measured under different loads, on which the metric depends; empty if they were not.
func (c *Comparison) OtherLoad() string { return c.otherLoad }

// Few reports whether rounds have too few operations for the percentile.
func (c *Comparison) Few() bool { return c.few }

// TooFewRounds reports whether only more rounds are needed for an interval.
func (c *Comparison) TooFewRounds() bool {
	return !c.Known() && !math.IsNaN(c.Ratio) && c.Rounds < ratio.MinRounds
}
