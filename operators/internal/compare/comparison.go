package compare

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// Comparison of a server with its baseline under one load, by one metric.
type Comparison struct {
	Baseline, Server string
	Cell             Cell
	// Load is the cell's name among those that were compared.
	Load   string
	Metric Metric
	// Estimate of the ratio, or of the difference where the metric is compared so; the primary metric's is corrected for the number of servers.
	ratio.Estimate
	// BaselineValue and Value are geometric means over the rounds compared; of differences arithmetic ones.
	BaselineValue, Value float64
	// Finding is the verdict, which the primary metric alone carries.
	ratio.Finding
	// Primary marks the metric that carries the verdicts of this load.
	Primary bool
	// Margin of equivalence that was asked for.
	Margin float64
	// Scope is what the verdict speaks of.
	Scope string
	// Dropouts are rounds that one of the two lacks.
	Dropouts Dropouts
	// AA marks a server that is the baseline under a second name: its ratio is noise.
	AA bool
	// SettingsDiffer names the settings in which the two differ as they ran: "none", or empty where that is not known.
	SettingsDiffer string
	// Published ratio of the two; NaN where none was published.
	Published float64
	// AdjustedFor is what the interval was adjusted for; empty for nothing.
	AdjustedFor string
	// otherLoad says that the two were under other loads, and what that does to this metric; empty where they were not.
	otherLoad string
	// logs are the log ratios that the estimate was made from, by installation; none of two runs, which share no rounds.
	logs [][]float64
}

// shownDecimals of a ratio or a difference, of its interval's ends, and of the least difference that would have been seen: that of a fault may
// be hundredths of a second.
const shownDecimals = 3

// Statement is the verdict in words.
func (c *Comparison) Statement() string {
	switch c.Verdict {
	case ratio.Faster, ratio.Slower:
		return fmt.Sprintf("%s %s", c.Word(), c.Scope)
	case ratio.Equivalent:
		return fmt.Sprintf("%s within %s %s", c.Verdict, percent(c.Margin), c.Scope)
	case ratio.Unresolved:
		if c.AA {
			return "A/A"
		}
		if !math.IsNaN(c.Least) {
			return fmt.Sprintf("%s, %s would have been seen", c.Verdict, c.effect(c.Least))
		}
	}
	return string(c.Verdict)
}

// Effect is the ratio, or the difference with its sign and unit, as people read it; empty where it is not known.
func (c *Comparison) Effect() string { return c.text(c.Ratio) }

// Sized is the effect with what it is: ratio 0.783, difference +3.200 s.
func (c *Comparison) Sized() string {
	if c.Difference {
		return "difference " + c.Effect()
	}
	return "ratio " + c.Effect()
}

// Interval is both ends, likewise; false where the spread is not known.
func (c *Comparison) Interval() (from, to string, known bool) {
	return c.text(c.Low), c.text(c.High), c.Known()
}

func (c *Comparison) text(figure float64) string {
	text := Decimals(figure, shownDecimals)
	if !c.Difference || text == "" {
		return text
	}
	text = Decimals(c.Metric.Shown(figure), shownDecimals)
	if figure > 0 {
		text = "+" + text
	}
	return strings.TrimSpace(text + " " + c.Metric.Unit())
}

// effect of a size, as people say it: a share for ratios.
func (c *Comparison) effect(least float64) string {
	if c.Difference {
		return strings.TrimSpace(Decimals(c.Metric.Shown(least), shownDecimals) + " " + c.Metric.Unit())
	}
	return percent(least - 1)
}

// Beyond says whether a figure of the comparison is further from equal than a share of what the baseline has.
func (c *Comparison) Beyond(figure, share float64) bool {
	if c.Difference {
		return math.Abs(figure) > share*c.BaselineValue
	}
	return figure > 1+share || figure < 1-share
}

// Word of the verdict: what is faster by a metric of cost takes less.
func (c *Comparison) Word() string {
	switch c.Verdict {
	case ratio.Faster:
		return cmp.Or(c.Metric.Better, string(c.Verdict))
	case ratio.Slower:
		return cmp.Or(c.Metric.Worse, string(c.Verdict))
	}
	return string(c.Verdict)
}

// percent writes a share with as few digits as tell it apart.
func percent(share float64) string {
	text := fmt.Sprintf("%.1f", 100*share)
	return strings.TrimSuffix(text, ".0") + "%"
}

// Dropouts are rounds, of all that were measured under a load, in which a server has no figure: a measurement was invalid, or was
// not taken. Rounds are not lost by chance: what is slow times out.
type Dropouts struct{ Baseline, Server, Of int }

// text names the servers that have some; empty where none has.
func (d Dropouts) text(baseline, server string) string {
	var parts []string
	if d.Baseline > 0 {
		parts = append(parts, fmt.Sprintf("%s %d", baseline, d.Baseline))
	}
	if d.Server > 0 {
		parts = append(parts, fmt.Sprintf("%s %d", server, d.Server))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %d", strings.Join(parts, ", "), d.Of)
}

// DropoutsText is empty where there are none.
func (c *Comparison) DropoutsText() string { return c.Dropouts.text(c.Baseline, c.Server) }
