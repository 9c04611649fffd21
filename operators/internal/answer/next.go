package answer

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/gates"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/textfmt"
)

const (
	// firstRounds is what a run without intervals is to be repeated with: with three rounds, the fewest, an interval is four standard errors wide
	// to each side, with five it is less than three.
	firstRounds = 5
	// mostRounds and mostInstallations are the API's bounds on an experiment; rounds include those that warm up.
	mostRounds, mostInstallations = 100, 20
)

// next returns what to do about what is unresolved: the fix of a gate that cost rounds, or the command that repeats the run with more rounds, and how long
// it takes by this run's own spread and pace. It is empty where nothing is known to help.
func next(run *archive.Run, result *compare.Result) string {
	advice := fixes(result)
	if run.Experiment != nil && run.Experiment.Annotations[runs.AnnotationCommand] != "" {
		advice = append(advice, repeat(run, result)...)
	}
	return strings.Join(advice, " ")
}

// fixes returns what to do about the gate that cost the most rounds, and about percentiles with too few operations.
func fixes(result *compare.Result) []string {
	var out []string
	lost := map[v1beta1.Reason]int{}
	few := false
	for i := range result.Comparisons {
		c := &result.Comparisons[i]
		if !c.Primary || c.Known() {
			continue
		}
		few = few || c.Few()
		for _, l := range c.Lost {
			if reason := v1beta1.Reason(l.Reason()); gates.Fix(reason) != "" {
				lost[reason] += l.Rounds
			}
		}
	}
	if len(lost) > 0 {
		reason := slices.MaxFunc(slices.Sorted(maps.Keys(lost)), func(a, b v1beta1.Reason) int { return lost[a] - lost[b] })
		out = append(out, fmt.Sprintf("%s: %s", reason, gates.Fix(reason)))
	}
	if few {
		out = append(out, "Percentiles need more operations in a round: use a longer phase.")
	}
	return out
}

// repeat returns the command that repeats the run so that more rounds resolve what they can.
func repeat(run *archive.Run, result *compare.Result) []string {
	more := moreOf(run)
	most, count, few := 0, 0, false
	var far []string
	for _, c := range unresolved(result) {
		most = max(most, more.in(c))
		switch {
		case !c.Known():
			few = few || c.TooFewRounds()
		case armUnknown(result, c): // of its A/A arm nothing is known
		default:
			if needed := countFor(result, c, more); needed > more.bound {
				far = append(far, c.Server+" on "+LoadName(result, c))
			} else {
				count = max(count, needed)
			}
		}
	}
	switch {
	case withheld(result):
		return []string{"Repeat it with nothing else running on these machines: " + more.command(most)}
	case few:
		count = max(more.first, most+2)
		return []string{fmt.Sprintf("For intervals and verdicts%s: %s", more.last(count), more.command(count))}
	case len(far) == 0 && count > 0:
		return []string{fmt.Sprintf("To resolve them%s: %s", more.last(count), more.command(count))}
	case len(far) == 0:
		return nil
	}
	text := []string{fmt.Sprintf("%s would need more than %s: use %s.", listed(far), textfmt.Count(more.bound, more.unit), instead(run))}
	if count > 0 {
		text = append(text, fmt.Sprintf("To resolve the rest%s: %s", more.last(count), more.command(count)))
	}
	return text
}

// more is what a run has more of when it is repeated to resolve more: rounds or, if it has several installations, installations, because a
// verdict over these becomes no narrower by further rounds in each.
type more struct {
	unit         string
	first, bound int
	// each is how long one takes at the pace of the run; 0 if that is not known.
	each time.Duration
	// in returns how many a comparison rests on.
	in func(c *compare.Comparison) int
	// command repeats the run with so many.
	command func(count int) string
}

func moreOf(run *archive.Run) more {
	spec := &run.Experiment.Spec
	if spec.Installations > 1 {
		return more{"installation", ratio.MinInstallations, mostInstallations, perInstallation(run),
			func(c *compare.Comparison) int { return c.Installations }, withInstallations(run)}
	}
	return more{"round", firstRounds, mostRounds - int(spec.WarmupRounds), perRound(run), func(c *compare.Comparison) int { return c.Rounds }, withRounds(run)}
}

// instead of more rounds or installations: what also makes intervals narrower.
func instead(run *archive.Run) string {
	if slices.ContainsFunc(run.Experiment.Spec.Phases, func(p v1beta1.PhaseSpec) bool { return p.Interleave != nil }) {
		return "longer phases, or quieter machines"
	}
	return "more operations per phase, quieter machines, or an interleaved experiment"
}

// countFor estimates the rounds or installations after which the comparison is resolved: its interval excludes equality, or lies within the margin
// of equivalence, whichever takes fewer. A half-width falls with the square root of their number, and so does the noise that the A/A arm shows.
func countFor(result *compare.Result, c *compare.Comparison, more more) int {
	center, half := math.Abs(c.Scaled(c.Ratio)), max(c.HalfWidth(), noise(result, c.Cell))
	target := max(center, c.Margin.Scaled()-center)
	if target <= 0 {
		return more.bound + 1
	}
	// A tenth more, because the estimate itself is uncertain.
	return int(math.Ceil(1.1 * float64(more.in(c)) * (half / target) * (half / target)))
}

// armUnknown reports whether a comparison has no verdict because its A/A arm has no interval.
func armUnknown(result *compare.Result, of *compare.Comparison) bool {
	return slices.ContainsFunc(result.Comparisons, func(c compare.Comparison) bool {
		return c.Primary && c.AA && c.Cell == of.Cell && c.Baseline == of.Baseline && !c.Known()
	})
}

// noise is the farthest reach of a load's A/A arms; 0 if there is none.
func noise(result *compare.Result, cell compare.Cell) float64 {
	reach := 0.0
	for i := range result.Comparisons {
		if c := &result.Comparisons[i]; c.Primary && c.AA && c.Cell == cell && c.Known() {
			reach = max(reach, ratio.Noise{Server: c.Server, Estimate: c.Estimate}.Reach())
		}
	}
	return reach
}

// last says how long so many take; empty if that is not known.
func (m more) last(count int) string {
	if m.each == 0 {
		return ""
	}
	whole := time.Duration(count) * m.each
	if whole < 2*time.Minute {
		return fmt.Sprintf(", %s, about %.0f seconds", textfmt.Count(count, m.unit), whole.Seconds())
	}
	return fmt.Sprintf(", %s, about %.0f minutes", textfmt.Count(count, m.unit), whole.Minutes())
}

// perRound is from the first measurement of the rounds to the end of the last, by round. Only rounds with all phases count: the next run has these.
func perRound(run *archive.Run) time.Duration {
	last := lastWhole(run.Experiment)
	return pace(run, func(row *results.Row) bool { return !row.Warmup && row.Profile == "" && row.Round <= last }, func(row *results.Row) int { return row.Round })
}

// perInstallation is from the first measurement to the end of the last, by installation.
func perInstallation(run *archive.Run) time.Duration {
	return pace(run, func(*results.Row) bool { return true }, func(row *results.Row) int { return row.Installation })
}

// pace is from the first measurement that counts to the end of the last, divided by the different numbers that they have.
func pace(run *archive.Run, counts func(*results.Row) bool, number func(*results.Row) int) time.Duration {
	var begin, end time.Time
	numbers := map[int]bool{}
	for i := range run.Rows {
		row := &run.Rows[i]
		if !counts(row) || row.StartedAt.IsZero() || row.FinishedAt.IsZero() {
			continue
		}
		if begin.IsZero() || row.StartedAt.Before(begin) {
			begin = row.StartedAt
		}
		if row.FinishedAt.After(end) {
			end = row.FinishedAt
		}
		numbers[number(row)] = true
	}
	if len(numbers) == 0 {
		return 0
	}
	return end.Sub(begin) / time.Duration(len(numbers))
}

// lastWhole returns the last round before a phase was left out because it had reached its precision.
func lastWhole(experiment *v1beta1.Experiment) int {
	last := math.MaxInt
	if judged := experiment.Status.Precision; judged != nil {
		for _, settled := range judged.Settled {
			last = min(last, int(settled.Rounds))
		}
	}
	return last
}

var (
	assignment = regexp.MustCompile(`\s+(ROUNDS|PRECISION|BUDGET)=('[^']*'|\S*)`)
	option     = regexp.MustCompile(`\s+--(rounds|precision|budget)[= ]('[^']*'|\S*)`)
	setting    = regexp.MustCompile(`\bspec\.installations=\d+`)
	// The flags that make passes on are in quotes, unless they are one plain word.
	quoted, word = regexp.MustCompile(`\sARGS='`), regexp.MustCompile(`\sARGS=([^'\s]\S*)`)
)

// withRounds returns the command of the run with another number of rounds, and those that warm up.
func withRounds(run *archive.Run) func(rounds int) string {
	command, warmup := run.Experiment.Annotations[runs.AnnotationCommand], int(run.Experiment.Spec.WarmupRounds)
	if strings.HasPrefix(command, "make ") {
		command = assignment.ReplaceAllString(command, "")
		return func(rounds int) string { return fmt.Sprintf("%s ROUNDS=%d", command, rounds+warmup) }
	}
	command = option.ReplaceAllString(command, "")
	return func(rounds int) string { return fmt.Sprintf("%s --rounds %d", command, rounds+warmup) }
}

// withInstallations returns the command of the run with another number of installations.
func withInstallations(run *archive.Run) func(installations int) string {
	command := run.Experiment.Annotations[runs.AnnotationCommand]
	return func(installations int) string {
		value := fmt.Sprintf("spec.installations=%d", installations)
		set := "--set " + value
		switch {
		case setting.MatchString(command):
			return setting.ReplaceAllString(command, value)
		case !strings.HasPrefix(command, "make "):
			return command + " " + set
		case quoted.MatchString(command):
			return quoted.ReplaceAllString(command, " ARGS='"+set+" ")
		case word.MatchString(command):
			return word.ReplaceAllString(command, " ARGS='"+set+" $1'")
		}
		return command + " ARGS='" + set + "'"
	}
}
