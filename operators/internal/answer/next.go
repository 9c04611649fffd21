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
	"ringside.dev/ringside/operators/internal/runs"
)

const (
	// firstRounds is what a run without intervals is to be repeated with: with three rounds, the fewest, an interval is four standard errors wide
	// to each side, with five it is less than three.
	firstRounds = 5
	// mostRounds is the API's bound on the rounds of an experiment.
	mostRounds = 100
)

// next command where something is unresolved, and how long it takes by this run's own spread and pace.
func next(run *archive.Run, result *compare.Result) string {
	open := unresolved(result)
	if len(open) == 0 || run.Experiment == nil {
		return ""
	}
	rounds, most := 0, 0
	known := true
	for _, c := range open {
		most = max(most, c.Rounds)
		if !c.Known() {
			known = false
			continue
		}
		rounds = max(rounds, roundsFor(c))
	}
	switch command := repeat(run); {
	case command == nil:
		return ""
	case withheld(result):
		return "Repeat it with nothing else running on these machines: " + command(most)
	case !known:
		rounds = max(firstRounds, most+2)
		return fmt.Sprintf("For intervals and verdicts%s: %s", lasts(run, rounds), command(rounds))
	case rounds > mostRounds:
		return fmt.Sprintf("More rounds alone do not resolve it: some %d would be needed. Use %s.", rounds, instead(run))
	default:
		return fmt.Sprintf("To resolve them%s: %s", lasts(run, rounds), command(rounds))
	}
}

// instead of more rounds: what also makes intervals narrower.
func instead(run *archive.Run) string {
	if slices.ContainsFunc(run.Experiment.Spec.Phases, func(p v1alpha1.PhaseSpec) bool { return p.Interleave != nil }) {
		return "longer phases, or quieter machines"
	}
	return "more operations per phase, quieter machines, or an interleaved experiment"
}

// roundsFor estimates the rounds after which the comparison is resolved: its interval excludes equality, or lies within the margin of equivalence,
// whichever takes fewer. A half-width falls with the square root of the rounds.
func roundsFor(c *compare.Comparison) int {
	center, half := math.Abs(c.Scaled(c.Ratio)), c.HalfWidth()
	target := center
	if !c.Difference {
		target = max(target, math.Log1p(c.Margin)-center)
	}
	if target <= 0 {
		return mostRounds + 1
	}
	// A tenth more, because the estimate itself is uncertain.
	return int(math.Ceil(1.1 * float64(c.Rounds) * (half / target) * (half / target)))
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

// perRound is from the first measurement of the rounds to the end of the last, by round.
func perRound(run *archive.Run) time.Duration {
	var begin, end time.Time
	rounds := map[[2]int]bool{}
	for i := range run.Rows {
		row := &run.Rows[i]
		if row.Warmup || row.Profile != "" || row.StartedAt.IsZero() || row.FinishedAt.IsZero() {
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
