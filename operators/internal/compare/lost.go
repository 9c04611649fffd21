package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/gates"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// loss is why an arm has no figure in a round.
type loss struct {
	why string
	// neutral marks a reason that cannot depend on the figure. Others can: slow measurements miss a rate, fail or time out.
	neutral bool
	// open marks a figure that was not reached by the end of the phase: nothing bounds it.
	open bool
}

// lost returns why an arm lacks a round under a load whatever the metric; false if it has it.
func (s *sample) lost(cell Cell, u replicate) (loss, bool) {
	rows := s.rows[cell][u]
	if len(rows) < s.plan.repeats(cell) {
		return loss{why: "not measured", neutral: u == s.plan.unfinished}, true
	}
	for _, row := range rows {
		if !row.Valid {
			return loss{why: invalidity(row), neutral: len(row.Reasons) > 0 && !slices.ContainsFunc(row.Reasons, gates.CanDependOnFigure)}, true
		}
	}
	return loss{}, false
}

// invalidity returns the reason of an invalid row, or else the name of its gate.
func invalidity(row *results.Row) string {
	if len(row.Reasons) > 0 {
		return string(row.Reasons[0])
	}
	gate, _, _ := strings.Cut(strings.Join(row.InvalidReasons, "; "), ":")
	return cmp.Or(gate, "invalid")
}

// Lost describes the rounds in which a server has no figure.
type Lost struct {
	Server     string
	Rounds, Of int
	// dependent are those whose reason can depend on the figure; open those of which nothing bounds the figure.
	dependent, open int
	why             map[string]int
}

func lostOf(server string, f figures) Lost {
	l := Lost{Server: server, Rounds: len(f.lost), Of: len(f.rounds), why: map[string]int{}}
	for _, one := range f.lost {
		l.why[one.why]++
		if !one.neutral {
			l.dependent++
		}
		if one.open {
			l.open++
		}
	}
	return l
}

// TooMany reports whether the remaining rounds say nothing of the server, because too many are lost for reasons that can depend on the figure.
func (l Lost) TooMany() bool {
	return l.open > 0 || float64(l.dependent) > ratio.MostLost*float64(l.Of-l.Rounds+l.dependent)
}

// String describes the lost rounds: x lacks 9 of 12 rounds (TargetRateMissed 8, OperationsFailed 1); empty if there are none.
func (l Lost) String() string {
	if l.Rounds == 0 {
		return ""
	}
	reasons := l.reasons()
	text := reasons[0]
	if len(reasons) > 1 {
		for i, reason := range reasons {
			reasons[i] = fmt.Sprintf("%s %d", reason, l.why[reason])
		}
		text = strings.Join(reasons, ", ")
	}
	return fmt.Sprintf("%s lacks %d of %s (%s)", l.Server, l.Rounds, textfmt.Count(l.Of, "round"), text)
}

// reasons returns the reasons, the most frequent first.
func (l Lost) reasons() []string {
	return slices.SortedFunc(maps.Keys(l.why), func(a, b string) int { return cmp.Or(l.why[b]-l.why[a], cmp.Compare(a, b)) })
}

// Reason returns the most frequent reason; empty if no round is lost.
func (l Lost) Reason() string { return strings.Join(l.reasons()[:min(len(l.why), 1)], "") }

// dropouts counts the lost rounds of both sides, as in comparison.csv; empty if there are none.
func dropouts(sides ...Lost) string {
	var parts []string
	of := 0
	for _, l := range sides {
		if of = max(of, l.Of); l.Rounds > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", l.Server, l.Rounds))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %d", strings.Join(parts, ", "), of)
}

// Lacks returns an error if the figures of a server under a load must not be described, because too many rounds have none for reasons that can
// depend on the figure, or because rounds have too few operations for a percentile.
func Lacks(run *archive.Run, server string, cell Cell, metric Metric) error {
	f := draw(Arm{run, server}, anyPeer, kindsOf(run)).figures(cell, metric)
	switch lost := lostOf(server, f); {
	case lost.TooMany():
		return fmt.Errorf("%s: %s", metric.Title, lost)
	case f.few != "":
		return fmt.Errorf("%s: %s", metric.Title, f.few)
	}
	return nil
}
