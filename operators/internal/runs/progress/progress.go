// Package progress describes in one line what a run is doing, how fast, and how long it will still take.
// Everything here is a function of the run's objects and the time.
package progress

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// State of a run at one moment.
type State struct {
	// Where the run is: round 3 of 5; while something is measured, and there are several rounds.
	Where string
	// Doing in words: the measurement under way, or what is done between measurements.
	Doing string
	// Finished of Planned measurements; AtMost reports whether the run may end before it has them all.
	Finished, Planned int
	AtMost            bool
	// Measuring is true while load is driven; the fields below it speak of that measurement.
	Measuring bool
	Fraction  float64 // of the measurement's operations or time; negative when not known
	OpRate    float64 // operations per second in the latest interval, over all load pods
	P95Millis float64 // the worst load pod's in the latest interval
	Errors    int64
	// Units of the rates and latencies.
	Units textfmt.Units
	// Left is the expected time to the run's end; negative when not known.
	Left time.Duration
	// TimesOut is the time until the load counts as failed, for one that has stalled or takes longer than it was meant to; 0 for any other.
	// Settling reports that the load has ended and its pods await the store's compactions: the time is then that of the wait.
	TimesOut time.Duration
	Settling bool
	// Stalled is why the time left is not shown; empty for a run that makes progress.
	Stalled string
	// endsIn is the time until the load that is under way counts as failed.
	endsIn time.Duration
}

// quiet is how long a run may show nothing new: its load pods report every few seconds.
const quiet = time.Minute

// Despite returns the state of a run that troubles block, or that has shown nothing new for so long: without the time left.
func (s State) Despite(troubles []string, silent time.Duration) State {
	switch {
	case len(troubles) > 0:
		s.Stalled, s.Left = troubles[0], -1
	case silent >= quiet:
		s.Stalled, s.Left = "nothing new for "+Clock(silent), -1
		s.TimesOut = s.endsIn
	}
	return s
}

// Of works out the state.
func Of(e *v1beta1.Experiment, measurements []v1beta1.Measurement, now time.Time) State {
	state := State{Finished: int(e.Status.Finished), Planned: int(e.Status.Planned), AtMost: e.Spec.StopsByItself() && !e.Status.Enough() && e.Status.FinishedAt == nil, Units: textfmt.UnitsOf(e), Fraction: -1, Left: -1}
	finished := 0
	var current *v1beta1.Measurement
	for i := range measurements {
		m := &measurements[i]
		switch {
		case m.Finished():
			finished++
		case running(m) && m.Spec.Lead == "": // the lead of an interleaved phase stands for its companions
			current = m
		}
	}
	state.Finished = max(state.Finished, finished)
	state.Doing = doing(e)
	if current != nil {
		state.measuring(e, current, now)
	} else {
		state.beginning(e, measurements)
	}
	state.Left = left(e, measurements, current, state.Fraction, now)
	if state.AtMost && state.Left >= 0 && e.Spec.Budget != nil {
		state.Left = min(state.Left, max(e.Spec.Budget.Duration-used(e, measurements), 0))
	}
	return state
}

func running(m *v1beta1.Measurement) bool {
	return !m.Finished() && meta.IsStatusConditionTrue(m.Status.Conditions, v1beta1.ConditionStarted) && m.Status.StartAt != nil
}

func doing(e *v1beta1.Experiment) string {
	if !e.DeletionTimestamp.IsZero() {
		return "removing the run and its store"
	}
	if e.Status.Current != "" {
		return e.Status.Current
	}
	if progressing := meta.FindStatusCondition(e.Status.Conditions, v1beta1.ConditionProgressing); progressing != nil {
		return cmp.Or(progressing.Message, progressing.Reason)
	}
	return "waiting for the operator"
}

// beginning describes, in the same words, a load that is about to begin or has just ended. Loads of several rounds have one name for the operator,
// so that the round of one that has ended is not known.
func (s *State) beginning(e *v1beta1.Experiment, measurements []v1beta1.Measurement) {
	ended := ""
	for i := range measurements {
		m := &measurements[i]
		if m.Spec.Lead != "" || s.Doing != plan.Describe(e, &m.Spec) {
			continue
		}
		if !m.Finished() {
			s.Where, s.Doing = where(e, &m.Spec, s.AtMost), describe(e, &m.Spec)
			return
		}
		ended = describe(e, &m.Spec)
	}
	s.Doing = cmp.Or(ended, s.Doing)
}

func (s *State) measuring(e *v1beta1.Experiment, m *v1beta1.Measurement, now time.Time) {
	s.Measuring = true
	spec := &m.Spec
	s.Where, s.Doing = where(e, spec, s.AtMost), describe(e, spec)
	if m.Status.Attempt > 1 {
		s.Doing += fmt.Sprintf(" (attempt %d)", m.Status.Attempt)
	}
	var operations int64
	for _, part := range m.CurrentParts() {
		operations += part.Operations
		s.Errors += part.Errors
		switch part.State {
		case v1beta1.PartRunning:
			s.OpRate += decimal(part.OpRate)
			s.P95Millis = max(s.P95Millis, decimal(part.P95Millis))
		case v1beta1.PartSettling:
			s.Settling = true
		}
	}
	switch elapsed := now.Sub(m.Status.StartAt.Time); {
	case spec.Operations > 0:
		s.Fraction = float64(operations+s.Errors) / float64(spec.Operations)
	case spec.Duration != nil && spec.Duration.Duration > 0:
		s.Fraction = elapsed.Seconds() / plan.Takes(spec).Seconds()
	}
	s.Fraction = min(max(s.Fraction, 0), 1)
	s.endsIn = max(plan.EndsBy(e.Spec.Load, m, s.Settling).Sub(now), 0)
	if s.Fraction >= 1 || s.Settling {
		s.TimesOut = s.endsIn
	}
}

func decimal(d v1beta1.Decimal) float64 {
	value, err := strconv.ParseFloat(string(d), 64)
	if err != nil {
		return 0 // nothing measured yet
	}
	return value
}

// Line is the state in one line, what matters most first, for a narrow terminal cuts its end: round 3 of 5 · reads on hsha · 42% · 4:10 left.
func (s State) Line() string {
	var parts []string
	switch {
	case s.Where != "":
		parts = append(parts, s.Where)
	case s.Planned > 0 && s.Measuring:
		parts = append(parts, fmt.Sprintf("measurement %d of %s", s.Finished+1, s.planned()))
	case s.Planned > 0:
		parts = append(parts, fmt.Sprintf("%d of %s measured", s.Finished, s.planned()))
	}
	parts = append(parts, s.Doing)
	if s.Measuring && s.Fraction >= 0 {
		parts = append(parts, fmt.Sprintf("%d%%", int(s.Fraction*100)))
	}
	switch {
	case s.Stalled != "":
		parts = append(parts, s.Stalled)
	case s.Left > 0 && s.AtMost:
		parts = append(parts, "at most "+Clock(s.Left)+" left")
	case s.Left > 0:
		parts = append(parts, Clock(s.Left)+" left")
	}
	switch {
	case s.Settling:
		parts = append(parts, "waits for compactions, at most "+Clock(s.TimesOut))
	case s.TimesOut > 0:
		parts = append(parts, "times out in "+Clock(s.TimesOut))
	}
	if s.OpRate > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %s", s.OpRate, s.Units.PerSecond()))
	}
	if s.P95Millis > 0 {
		parts = append(parts, fmt.Sprintf("p95 %.1f %s", s.P95Millis*s.Units.PerMilli(), s.Units.Latency()))
	}
	if s.Errors > 0 {
		parts = append(parts, textfmt.Count(int(s.Errors), "error"))
	}
	return strings.Join(parts, " · ")
}

func (s State) planned() string {
	if s.AtMost {
		return fmt.Sprintf("at most %d", s.Planned)
	}
	return strconv.Itoa(s.Planned)
}

// Clock writes a duration as m:ss or h:mm:ss.
func Clock(d time.Duration) string {
	seconds := int64(d.Round(time.Second) / time.Second)
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// Outcome of a run that has ended.
type Outcome int

// Outcomes.
const (
	// Running has not ended.
	Running Outcome = iota
	// Complete took every measurement, or enough of them.
	Complete
	// Failed ended early.
	Failed
)

// End reports whether and how the run ended, with the message of its condition.
func End(e *v1beta1.Experiment) (Outcome, string) {
	if e.Status.FinishedAt == nil {
		return Running, ""
	}
	if failed := meta.FindStatusCondition(e.Status.Conditions, v1beta1.ConditionFailed); failed != nil && failed.Status == "True" {
		return Failed, cmp.Or(failed.Message, failed.Reason)
	}
	if complete := meta.FindStatusCondition(e.Status.Conditions, v1beta1.ConditionComplete); complete != nil && e.Spec.StopsByItself() {
		return Complete, complete.Message
	}
	return Complete, ""
}

// WhyFailed returns the reason of a run that failed. If it was refused, that is the reason of the condition Accepted.
func WhyFailed(e *v1beta1.Experiment) string {
	if accepted := meta.FindStatusCondition(e.Status.Conditions, v1beta1.ConditionAccepted); accepted != nil && accepted.Status == "False" {
		return accepted.Reason
	}
	if failed := meta.FindStatusCondition(e.Status.Conditions, v1beta1.ConditionFailed); failed != nil {
		return failed.Reason
	}
	return ""
}

// Unscraped is the note for a run whose load pods were not scraped; empty if they were.
func Unscraped(e *v1beta1.Experiment) string {
	if scraped := meta.FindStatusCondition(e.Status.Conditions, v1beta1.ConditionScraped); scraped != nil && scraped.Status == "False" {
		return scraped.Message
	}
	return ""
}
