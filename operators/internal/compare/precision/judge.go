package precision

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
)

// Judge returns the precision of the finished rounds of a run with a precision, the phases that are left out of later rounds, and whether the
// run ends after them. The same measurements and the same earlier status always give the same result.
func Judge(experiment *v1beta1.Experiment, rounds int32, measurements []*v1beta1.Measurement) (v1beta1.PrecisionStatus, error) {
	rule, err := RuleOf(&experiment.Spec)
	if err != nil {
		return v1beta1.PrecisionStatus{}, err
	}
	samples, err := compare.Samples(runOf(experiment, measurements))
	if err != nil {
		return v1beta1.PrecisionStatus{}, fmt.Errorf("judge the rounds: %w", err)
	}
	used := Used(experiment, measurements)
	var earlier []v1beta1.SettledPhase
	if judged := experiment.Status.Precision; judged != nil {
		earlier = judged.Settled
	}
	decision := Decide(samples, rule, names(earlier), int(rounds-experiment.Spec.WarmupRounds), used)
	status := v1beta1.PrecisionStatus{Rounds: rounds, At: decision.At, Used: metav1.Duration{Duration: used}, Reason: decision.Reason,
		Settled: LeftOut(&experiment.Spec, earlier, decision.Reached, rounds)}
	switch widest := decision.Widest; {
	case len(samples) == 0 || math.IsNaN(widest.Value) || math.IsInf(widest.Value, 0):
	case widest.Difference:
		status.WidestTime = &metav1.Duration{Duration: time.Duration(widest.Value * float64(time.Second)).Round(time.Millisecond)}
	default:
		status.Widest = fmt.Sprintf("%.1f%%", 100*widest.Value)
	}
	return status, nil
}

// runOf returns the measurements as a run for the comparison.
func runOf(experiment *v1beta1.Experiment, measurements []*v1beta1.Measurement) *archive.Run {
	run := &archive.Run{Experiment: experiment, Measurements: map[string]*v1beta1.Measurement{}}
	for _, m := range measurements {
		if m.Finished() {
			run.Measurements[m.Name] = m
			run.Rows = append(run.Rows, results.FromMeasurement(m))
		}
	}
	results.Sort(run.Rows)
	return run
}

// Used returns the time that the rounds' measurements have taken: from the creation of each, or from its load's start if an earlier attempt
// failed, to its end. A failed attempt counts until it failed. Time between measurements is not counted: the run may have been stopped then, a
// node of the store restarted, or a store installed.
func Used(experiment *v1beta1.Experiment, measurements []*v1beta1.Measurement) time.Duration {
	var spans []span
	for _, m := range measurements {
		finished := meta.FindStatusCondition(m.Status.Conditions, v1beta1.ConditionFinished)
		if finished == nil || m.Spec.Lead != "" || m.Spec.Profile != nil || prepares(experiment, m) {
			continue // a companion takes its lead's time
		}
		spans = append(spans, spansOf(m, finished.LastTransitionTime.Time)...)
	}
	return covered(spans)
}

// span is a span of time.
type span struct{ begin, end time.Time }

// spansOf returns the times of a measurement's attempts, without the wait between the last failure and the load of the next attempt.
func spansOf(m *v1beta1.Measurement, end time.Time) []span {
	begin := m.CreationTimestamp.Time
	if len(m.Status.Failures) == 0 {
		return []span{{begin, end}}
	}
	failed := span{begin, m.Status.Failures[len(m.Status.Failures)-1].At.Time}
	if m.Status.Result == nil || m.Status.StartAt == nil {
		return []span{failed}
	}
	return []span{failed, {m.Status.StartAt.Time, end}}
}

// covered returns the length of the union of the spans.
func covered(spans []span) time.Duration {
	slices.SortFunc(spans, func(a, b span) int { return a.begin.Compare(b.begin) })
	total, until := time.Duration(0), time.Time{}
	for _, s := range spans {
		if s.begin.Before(until) {
			s.begin = until
		}
		if s.end.After(s.begin) {
			total, until = total+s.end.Sub(s.begin), s.end
		}
	}
	return total
}

func prepares(experiment *v1beta1.Experiment, m *v1beta1.Measurement) bool {
	return slices.ContainsFunc(experiment.Spec.Phases, func(p v1beta1.PhaseSpec) bool { return p.Name == m.Spec.Phase && p.Type == v1beta1.PhasePrepare })
}

// Sentence describes the precision of a run, for conditions, events and messages.
func Sentence(spec *v1beta1.ExperimentSpec, status *v1beta1.PrecisionStatus) string {
	widest := "the widths of the primary intervals are not known"
	switch {
	case status.WidestTime != nil:
		widest = fmt.Sprintf("the widest primary interval is ±%s (%s)", ratio.Seconds(status.WidestTime.Seconds()), status.At)
	case status.Widest != "":
		widest = fmt.Sprintf("the widest primary interval is ±%s (%s)", status.Widest, status.At)
	}
	after, earlier := fmt.Sprintf("after %d of at most %d rounds", status.Rounds, spec.Rounds), settledEarlier(status)
	switch status.Reason {
	case v1beta1.ReasonPrecisionReached:
		return fmt.Sprintf("the precision of %s is reached %s: %s%s", asked(spec), after, widest, earlier)
	case v1beta1.ReasonBudgetUsed:
		return fmt.Sprintf("the budget of %s is used up %s: %s, %s was requested%s", spec.Budget.Duration, after, widest, asked(spec), earlier)
	}
	return fmt.Sprintf("%s %s, %s is requested%s", after, widest, asked(spec), earlier)
}

// settledEarlier describes the phases that were left out of the last rounds, as the end of a sentence; empty if there are none.
func settledEarlier(status *v1beta1.PrecisionStatus) string {
	text := ""
	for _, phase := range status.Settled {
		if phase.Rounds < status.Rounds {
			text += "; " + Settled(phase)
		}
	}
	return text
}

// Settled describes a phase that has reached its precision.
func Settled(phase v1beta1.SettledPhase) string {
	return fmt.Sprintf("phase %s reached its precision after %d rounds", phase.Phase, phase.Rounds)
}

// Until returns a suffix for the number of rounds of a run that may end before its last; else empty.
func Until(spec *v1beta1.ExperimentSpec) string {
	if !spec.StopsByItself() || spec.Budget == nil {
		return ""
	}
	return fmt.Sprintf(" at most, until %s is reached or %s are used up", asked(spec), spec.Budget.Duration)
}

// asked formats the precision, and that of the phases with their own.
func asked(spec *v1beta1.ExperimentSpec) string {
	var own []string
	for _, phase := range spec.Phases {
		if phase.Precision != "" {
			own = append(own, phase.Name+" "+within(spec.PrecisionOf(phase)))
		}
	}
	if len(own) == 0 {
		return within(spec.Precision)
	}
	return fmt.Sprintf("%s (%s)", within(spec.Precision), strings.Join(own, ", "))
}

func within(precision string) string {
	distance, err := ratio.ParseDistance(precision)
	if err != nil {
		return cmp.Or(strings.TrimSpace(precision), "nothing")
	}
	return "±" + distance.String()
}
