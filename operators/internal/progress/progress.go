// Package progress says in one line what a run is doing, how fast, and how long it will still take.
// Everything here is a function of the run's objects and the time.
package progress

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/units"
)

// State of a run at one moment.
type State struct {
	// Doing in words: the measurement under way, or what is done beside measuring.
	Doing string
	// Finished of Planned measurements; AtMost says that the run may end before it has them all.
	Finished, Planned int
	AtMost            bool
	// Measuring is true while load is driven; the fields below it speak of that measurement.
	Measuring bool
	Fraction  float64 // of the measurement's operations or time; negative when not known
	OpRate    float64 // operations per second in the latest interval, over all load pods
	P95Millis float64 // the worst load pod's in the latest interval
	Errors    int64
	// Units in which it is told.
	Units units.Units
	// Left is the expected time to the run's end; negative when not known.
	Left time.Duration
}

// Of works out the state.
func Of(e *v1alpha1.Experiment, measurements []v1alpha1.Measurement, now time.Time) State {
	state := State{Finished: int(e.Status.Finished), Planned: int(e.Status.Planned), AtMost: e.Spec.StopsByItself() && !e.Status.Enough() && e.Status.FinishedAt == nil, Units: units.Of(e), Fraction: -1, Left: -1}
	finished := 0
	var current *v1alpha1.Measurement
	for i := range measurements {
		m := &measurements[i]
		switch {
		case results.Finished(m):
			finished++
		case running(m) && m.Spec.Lead == "": // the lead of an interleaved phase stands for its companions
			current = m
		}
	}
	state.Finished = max(state.Finished, finished)
	state.Doing = doing(e)
	if current != nil {
		state.measuring(e, current, now)
	}
	state.Left = left(e, measurements, current, state.Fraction, now)
	if state.AtMost && state.Left >= 0 && e.Spec.Budget != nil {
		state.Left = min(state.Left, max(e.Spec.Budget.Duration-used(e, measurements), 0))
	}
	return state
}

func running(m *v1alpha1.Measurement) bool {
	return !results.Finished(m) && meta.IsStatusConditionTrue(m.Status.Conditions, v1alpha1.ConditionStarted) && m.Status.StartAt != nil
}

func doing(e *v1alpha1.Experiment) string {
	if !e.DeletionTimestamp.IsZero() {
		return "removing the run and its store"
	}
	if e.Status.Current != "" {
		return e.Status.Current
	}
	if progressing := meta.FindStatusCondition(e.Status.Conditions, v1alpha1.ConditionProgressing); progressing != nil {
		return cmp.Or(progressing.Message, progressing.Reason)
	}
	return "waiting for the operator"
}

func (s *State) measuring(e *v1alpha1.Experiment, m *v1alpha1.Measurement, now time.Time) {
	s.Measuring = true
	spec := &m.Spec
	s.Doing = plan.Describe(e, spec)
	if m.Status.Attempt > 1 {
		s.Doing += fmt.Sprintf(" (attempt %d)", m.Status.Attempt)
	}
	var operations int64
	for _, part := range m.Status.Parts {
		if part.Attempt != m.Status.Attempt {
			continue
		}
		operations += part.Operations
		s.Errors += part.Errors
		if part.State == v1alpha1.PartRunning {
			s.OpRate += decimal(part.OpRate)
			s.P95Millis = max(s.P95Millis, decimal(part.P95Millis))
		}
	}
	switch elapsed := now.Sub(m.Status.StartAt.Time); {
	case spec.Operations > 0:
		s.Fraction = float64(operations+s.Errors) / float64(spec.Operations)
	case spec.Duration != nil && spec.Duration.Duration > 0:
		s.Fraction = elapsed.Seconds() / seconds(spec)
	}
	s.Fraction = min(max(s.Fraction, 0), 1)
}

// seconds that a phase bounded in time takes, warm-up and all.
func seconds(spec *v1alpha1.MeasurementSpec) float64 {
	if spec.Interleave == nil {
		return spec.Duration.Seconds()
	}
	return spec.Duration.Seconds() + spec.Interleave.Warmup.Seconds()
}

func decimal(d v1alpha1.Decimal) float64 {
	value, err := strconv.ParseFloat(string(d), 64)
	if err != nil {
		return 0 // nothing measured yet
	}
	return value
}

// Line is the state in one line.
func (s State) Line() string {
	parts := []string{s.Doing}
	if s.Planned > 0 {
		of := fmt.Sprintf("/%d", s.Planned)
		if s.AtMost {
			of = fmt.Sprintf(" of at most %d", s.Planned)
		}
		parts[0] = fmt.Sprintf("[%d%s] %s", s.Finished, of, s.Doing)
	}
	if s.Measuring && s.Fraction >= 0 {
		parts = append(parts, fmt.Sprintf("%d%%", int(s.Fraction*100)))
	}
	if s.OpRate > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %s", s.OpRate, s.Units.PerSecond()))
	}
	if s.P95Millis > 0 {
		parts = append(parts, fmt.Sprintf("p95 %.1f %s", s.P95Millis*s.Units.PerMilli(), s.Units.Latency()))
	}
	if s.Errors > 0 {
		parts = append(parts, fmt.Sprintf("%d errors", s.Errors))
	}
	if s.Left > 0 {
		about := "about "
		if s.AtMost {
			about = "at most about "
		}
		parts = append(parts, about+Clock(s.Left)+" left")
	}
	return strings.Join(parts, " · ")
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

// End says whether and how the run ended, and in what words.
func End(e *v1alpha1.Experiment) (Outcome, string) {
	if e.Status.FinishedAt == nil {
		return Running, ""
	}
	if failed := meta.FindStatusCondition(e.Status.Conditions, v1alpha1.ConditionFailed); failed != nil && failed.Status == "True" {
		return Failed, cmp.Or(failed.Message, failed.Reason)
	}
	if complete := meta.FindStatusCondition(e.Status.Conditions, v1alpha1.ConditionComplete); complete != nil && e.Spec.StopsByItself() {
		return Complete, complete.Message
	}
	return Complete, ""
}

// Unscraped is what is to be said of a run whose load pods nobody asked for metrics; empty where somebody did.
func Unscraped(e *v1alpha1.Experiment) string {
	if scraped := meta.FindStatusCondition(e.Status.Conditions, v1alpha1.ConditionScraped); scraped != nil && scraped.Status == "False" {
		return scraped.Message
	}
	return ""
}
