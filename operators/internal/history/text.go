package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Answer returns what was found, in one sentence.
func (h *History) Answer() string {
	worse, all := 0, 0
	for i := range h.Series {
		for j := range h.Series[i].Changes {
			if h.Series[i].Judged {
				all++
				if h.Series[i].Changes[j].Worse {
					worse++
				}
			}
		}
	}
	text := fmt.Sprintf("%s in %s of %s", found(all), textfmt.Count(len(h.Runs), "run"), h.Experiment)
	if len(h.Runs) > 1 {
		text += fmt.Sprintf(" from %s to %s", h.Runs[0].ID, h.Runs[len(h.Runs)-1].ID)
	}
	if all > 0 {
		text += fmt.Sprintf(": %d for the worse", worse)
	}
	return text + "."
}

func found(changes int) string {
	if changes == 0 {
		return "No change found"
	}
	return textfmt.Count(changes, "change") + " found"
}

// Limits returns what the answer does not cover, one sentence each.
func (h *History) Limits() []string {
	longest := 0
	for i := range h.Series {
		if h.Series[i].Judged {
			longest = max(longest, len(h.Series[i].Points))
		}
	}
	var limits []string
	switch after := RunsAfter(longest, h.SeriesLevel); {
	case longest == 0 && h.Baseline != "":
		limits = append(limits, "No run has a figure to compare with "+h.Baseline+": absolute figures need no baseline.")
	case longest == 0:
		limits = append(limits, "No run has a figure.")
	case after == 0:
		limits = append(limits, fmt.Sprintf("Too few runs: a change can be found in %d comparable runs or more, and the longest series has %d.", FewestRuns(h.SeriesLevel), longest))
	default:
		limits = append(limits, fmt.Sprintf("A change of a series of %d runs is found at the earliest once %s it. The probability of a false one in all judged series together is at most %s.",
			longest, follow(after), textfmt.ShortPercent(h.Level, 1)))
	}
	limits = append(limits, slices.Concat(h.missing(), h.unmeasured())...)
	if len(h.Breaks) > 0 {
		limits = append(limits, "Changes are not looked for between runs that measured something else, and --fail-on acts on the latest series of each server only.")
	}
	return limits
}

// missing returns a sentence for each judged series that lacks figures of runs. They do not lack them at random: slow measurements time out.
func (h *History) missing() []string {
	var lines []string
	for i := range h.Series {
		s := &h.Series[i]
		if n := len(s.Missing); s.Judged && n > 0 {
			lines = append(lines, fmt.Sprintf("%s has no valid %s of %s in %d of %s, the latest of them %s: a change there is not found.",
				s.Server, s.Metric.Title, s.Load, n, textfmt.Count(n+len(s.Points), "comparable run"), h.Runs[s.Missing[n-1]].ID))
		}
	}
	return lines
}

// unmeasured returns a sentence for each judged series with changes that ended with its load.
func (h *History) unmeasured() []string {
	var lines []string
	for i := range h.Series {
		if s := &h.Series[i]; s.Judged && s.Unmeasured && len(s.Changes) > 0 {
			lines = append(lines, fmt.Sprintf("The latest run of %s does not measure %s, last measured in %s: --fail-on passes its changes.",
				s.Server, s.Load, h.Runs[s.Points[len(s.Points)-1].Run].ID))
		}
	}
	return lines
}

func follow(n int) string {
	if n == 1 {
		return "1 run follows"
	}
	return fmt.Sprintf("%d runs follow", n)
}

// Columns of the table of changes.
func Columns() []textfmt.Column {
	return []textfmt.Column{
		{Title: "SERVER", Name: "server"},
		{Title: "LOAD", Name: "load"},
		{Title: "METRIC", Name: "metric"},
		{Title: "LAST BEFORE", Name: "before"},
		{Title: "FIRST AFTER", Name: "after"},
		{Title: "CHANGE", Name: "change", Right: true},
		{Title: "95% INTERVAL", Name: "interval", Right: true},
		{Title: "P", Name: "p", Right: true},
		{Title: "IS", Name: "is"},
	}
}

// Table returns the changes, a row each. With every, it has also those of series that are not judged.
func (h *History) Table(every bool) *textfmt.Table {
	t := &textfmt.Table{Columns: Columns()}
	for i := range h.Series {
		s := &h.Series[i]
		for j := range s.Changes {
			c := &s.Changes[j]
			if !s.Judged && !every {
				continue
			}
			style := textfmt.Good
			switch {
			case c.Unresolved():
				style = textfmt.Plain
			case c.Worse:
				style = textfmt.Bad
			}
			word := s.Word(c)
			switch {
			case !s.Judged:
				style, word = textfmt.Plain, word+" (descriptive)"
			case s.Unmeasured:
				style, word = textfmt.Plain, word+" (no longer measured)"
			case s.Ended:
				style, word = textfmt.Plain, word+" (earlier series)"
			}
			t.Add(style, s.Server, s.Load, s.Metric.Title, h.Runs[c.Before].ID, h.Runs[c.After].ID, s.Size(c), s.Interval(c), compare.Decimals(c.P, 4), word)
		}
	}
	return t
}

// Size formats a change: a ratio, or a difference with its sign and unit.
func (s *Series) Size(c *Change) string { return s.effect(c.Estimate, c.Ratio) }

// Interval formats the interval of a change; empty if it is unknown.
func (s *Series) Interval(c *Change) string { return s.interval(c.Estimate) }

func (s *Series) interval(e ratio.Estimate) string {
	if !e.Known() {
		return ""
	}
	return fmt.Sprintf("%s to %s", s.effect(e, e.Low), s.effect(e, e.High))
}

// sized formats an estimate with its interval, if it is known.
func (s *Series) sized(e ratio.Estimate) string {
	kind := "ratio"
	if e.Difference {
		kind = "difference"
	}
	text := kind + " " + s.effect(e, e.Ratio)
	if interval := s.interval(e); interval != "" {
		text += " (" + interval + ")"
	}
	return text
}

func (s *Series) effect(e ratio.Estimate, figure float64) string {
	text := compare.Decimals(figure, 3)
	if !e.Difference || text == "" {
		return text
	}
	if figure > 0 {
		text = "+" + text
	}
	return strings.TrimSpace(text + " " + s.Metric.Unit())
}

// Sentence describes a change in one line.
func (h *History) Sentence(s *Series, c *Change) string {
	later := ""
	if !c.latest {
		later = ", and " + s.sized(c.Now) + " of the latest runs to those before"
	}
	compared := ""
	if h.Baseline != "" {
		compared = " compared with " + h.Baseline
	}
	series := ""
	switch {
	case s.Unmeasured:
		series = ", under a load that is no longer measured"
	case s.Ended:
		series = ", in an earlier series"
	}
	return fmt.Sprintf("%s: %s%s since run %s%s: %s of %s, %s of the runs since then to those before%s",
		s.Server, s.Word(c), compared, h.Runs[c.After].ID, series, s.Metric.Title, s.Load, s.sized(c.Estimate), later)
}

// Latest returns a sentence for each judged series whose latest runs are worse than earlier ones, which are not those right before the last change.
func (h *History) Latest() []string {
	var lines []string
	for i := range h.Series {
		s := &h.Series[i]
		if c := s.best(); c != nil && s.Judged && !s.Ended {
			lines = append(lines, fmt.Sprintf("Latest runs of %s compared with its best, up to %s: %s of %s, %s.", s.Server, h.Runs[c.Before].ID, s.Metric.Title, s.Load, s.sized(c.Now)))
		}
	}
	return lines
}

// Causes returns, for each pair of adjacent runs between which something changed, what the archive records differently of them.
func (h *History) Causes(every bool) []string {
	type pair struct{ before, after int }
	var order []pair
	lines := map[pair][]string{}
	for i := range h.Series {
		for j := range h.Series[i].Changes {
			if !h.Series[i].Judged && !every {
				continue
			}
			c := &h.Series[i].Changes[j]
			at := pair{c.Before, c.After}
			if !slices.Contains(order, at) {
				order = append(order, at)
			}
			for _, line := range c.Differs {
				if !slices.Contains(lines[at], line) {
					lines[at] = append(lines[at], line)
				}
			}
		}
	}
	slices.SortFunc(order, func(a, b pair) int { return cmp.Or(cmp.Compare(a.after, b.after), cmp.Compare(a.before, b.before)) })
	var out []string
	for _, at := range order {
		what := strings.Join(lines[at], "; ")
		if what == "" {
			what = "nothing that the archive records"
		}
		out = append(out, fmt.Sprintf("Between %s and %s changed: %s.", h.Runs[at.before].ID, h.Runs[at.after].ID, what))
	}
	return out
}

// BreakLines returns a sentence for each run that is not comparable with those before.
func (h *History) BreakLines() []string {
	var lines []string
	for _, b := range h.Breaks {
		lines = append(lines, fmt.Sprintf("Another series begins with %s, which did not measure the same as the run before: %s.", h.Runs[b.Run].ID, b.Why))
	}
	return lines
}

// finite returns the value for JSON, which has no NaN.
func finite(value float64) *float64 {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	return &value
}

func textOr(names []string, nothing string) string {
	return cmp.Or(strings.Join(names, ", "), nothing)
}
