package answer

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/runs"
)

const (
	// firstRounds is what a run without intervals is to be repeated with: with three rounds, the fewest, an interval is four standard errors wide
	// to each side, with five it is less than three.
	firstRounds = 5
	// mostRounds is the API's bound on the rounds of an experiment, those that warm up included.
	mostRounds = 100
)

// next command where something is unresolved, and how long it takes by this run's own spread and pace.
func next(run *archive.Run, result *compare.Result) string {
	open := unresolved(result)
	if len(open) == 0 || run.Experiment == nil {
		return ""
	}
	command := repeat(run)
	if command == nil {
		return ""
	}
	most, rounds, known := 0, 0, true
	bound := mostRounds - int(run.Experiment.Spec.WarmupRounds)
	var far []string
	for _, c := range open {
		most = max(most, c.Rounds)
		switch needed := roundsFor(result, c); {
		case !c.Known():
			known = false
		case needed > bound:
			far = append(far, c.Server+" on "+LoadName(result, c))
		default:
			rounds = max(rounds, needed)
		}
	}
	switch {
	case withheld(result):
		return "Repeat it with nothing else running on these machines: " + command(most)
	case !known:
		rounds = max(firstRounds, most+2)
		return fmt.Sprintf("For intervals and verdicts%s: %s", lasts(run, rounds), command(rounds))
	case len(far) == 0:
		return fmt.Sprintf("To resolve them%s: %s", lasts(run, rounds), command(rounds))
	}
	text := fmt.Sprintf("%s would need more than %d rounds: use %s.", listed(far), bound, instead(run))
	if rounds > 0 {
		text += fmt.Sprintf(" To resolve the rest%s: %s", lasts(run, rounds), command(rounds))
	}
	return text
}

// instead of more rounds: what also makes intervals narrower.
func instead(run *archive.Run) string {
	if slices.ContainsFunc(run.Experiment.Spec.Phases, func(p v1alpha1.PhaseSpec) bool { return p.Interleave != nil }) {
		return "longer phases, or quieter machines"
	}
	return "more operations per phase, quieter machines, or an interleaved experiment"
}

// roundsFor estimates the rounds after which the comparison is resolved: its interval excludes equality, or lies within the margin of equivalence,
// whichever takes fewer. A half-width falls with the square root of the rounds, and so does the noise that the A/A arm shows.
func roundsFor(result *compare.Result, c *compare.Comparison) int {
	center, half := math.Abs(c.Scaled(c.Ratio)), max(c.HalfWidth(), noise(result, c.Cell))
	target := max(center, c.Margin.Scaled()-center)
	if target <= 0 {
		return mostRounds + 1
	}
	// A tenth more, because the estimate itself is uncertain.
	return int(math.Ceil(1.1 * float64(c.Rounds) * (half / target) * (half / target)))
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

// lasts estimates how long so many rounds take at the pace of this run; empty if that is not known.
func lasts(run *archive.Run, rounds int) string {
	per := perRound(run)
	if per == 0 {
		return ""
	}
	whole := time.Duration(rounds) * per
	if whole < 2*time.Minute {
		return fmt.Sprintf(", %d rounds, about %.0f seconds", rounds, whole.Seconds())
	}
	return fmt.Sprintf(", %d rounds, about %.0f minutes", rounds, whole.Minutes())
}

// perRound is from the first measurement of the rounds to the end of the last, by round. Only rounds with all phases count: the next run has these.
func perRound(run *archive.Run) time.Duration {
	var begin, end time.Time
	last := lastWhole(run.Experiment)
	rounds := map[[2]int]bool{}
	for i := range run.Rows {
		row := &run.Rows[i]
		if row.Warmup || row.Profile != "" || row.StartedAt.IsZero() || row.FinishedAt.IsZero() || row.Round > last {
			continue
		}
		if begin.IsZero() || row.StartedAt.Before(begin) {
			begin = row.StartedAt
		}
		if row.FinishedAt.After(end) {
			end = row.FinishedAt
		}
		rounds[[2]int{row.Installation, row.Round}] = true
	}
	if len(rounds) == 0 {
		return 0
	}
	return end.Sub(begin) / time.Duration(len(rounds))
}

// lastWhole returns the last round before a phase was left out because it had reached its precision.
func lastWhole(experiment *v1alpha1.Experiment) int {
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
)

// repeat makes the command that repeats the run with another number of rounds (and those that warm up), from the one that the run keeps; nil where it keeps none.
func repeat(run *archive.Run) func(rounds int) string {
	command, warmup := run.Experiment.Annotations[runs.AnnotationCommand], int(run.Experiment.Spec.WarmupRounds)
	switch {
	case strings.HasPrefix(command, "make "):
		command = assignment.ReplaceAllString(command, "")
		return func(rounds int) string { return fmt.Sprintf("%s ROUNDS=%d", command, rounds+warmup) }
	case command != "":
		command = option.ReplaceAllString(command, "")
		return func(rounds int) string { return fmt.Sprintf("%s --rounds %d", command, rounds+warmup) }
	}
	return nil
}
