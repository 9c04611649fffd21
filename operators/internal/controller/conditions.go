package controller

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// verdict is the state of one condition.
type verdict struct {
	kind            string
	value           bool
	reason, message string
}

// news is what a step reports that no field of the status records: conditions do. All of it is optional.
type news struct {
	// activity is what the run does now.
	activity progress
	// unready reports that the activity is a wait for the store. ready is the message of a store that answers, removed that of one that is gone.
	unready        bool
	ready, removed string
	// refused is why the spec cannot be run.
	refused *problem.Problem
	// failure is why the run ends early; only reason and message are used.
	failure progress
}

// conditionsOf returns the conditions of an experiment that follow from its status, after the step's change, and from what the step reports. Other
// conditions stay as they are. It is pure, and the only place that sets conditions of experiments.
func conditionsOf(o observed, n news) []verdict {
	status := &o.experiment.Status
	var out []verdict
	set := func(kind string, value bool, reason, message string) {
		out = append(out, verdict{kind, value, reason, message})
	}
	if accepted := meta.FindStatusCondition(status.Conditions, v1beta1.ConditionAccepted); status.Seed != nil && (accepted == nil || accepted.Status == metav1.ConditionUnknown) {
		message := fmt.Sprintf("%s on %s, random order from seed %d", textfmt.Count(len(o.plan.Cells()), "measurement"), textfmt.Count(len(o.plan.Stores), "store"), *status.Seed)
		set(v1beta1.ConditionAccepted, true, v1beta1.ReasonAccepted, message)
		set(v1beta1.ConditionProgressing, true, v1beta1.ReasonAccepted, message)
		set(v1beta1.ConditionComplete, false, v1beta1.ReasonAccepted, "the run has not ended")
	}
	if activity := o.asked(n.activity); activity.reason != "" {
		set(v1beta1.ConditionProgressing, true, activity.reason, activity.message)
		if n.unready {
			set(v1beta1.ConditionStoreReady, false, activity.reason, activity.message)
		}
	}
	switch {
	case n.ready != "":
		set(v1beta1.ConditionStoreReady, true, v1beta1.ReasonStoreAnswers, n.ready)
	case n.removed != "":
		set(v1beta1.ConditionStoreReady, false, v1beta1.ReasonStoreRemoved, n.removed)
	}
	switch {
	case n.refused != nil:
		set(v1beta1.ConditionAccepted, false, cmp.Or(string(n.refused.Reason), v1beta1.ReasonRefused), n.refused.Error())
		set(v1beta1.ConditionFailed, true, v1beta1.ReasonRefused, n.refused.Error())
	case n.failure.reason != "":
		set(v1beta1.ConditionFailed, true, n.failure.reason, n.failure.message)
		set(v1beta1.ConditionComplete, false, n.failure.reason, "the run ended early")
	}
	if status.FinishedAt != nil && meta.FindStatusCondition(status.Conditions, v1beta1.ConditionSucceeded) == nil {
		out = append(out, endOf(o, out)...)
	}
	return out
}

// endOf returns the conditions of a run that has ended: nothing changes them later. before are those that the same step sets.
func endOf(o observed, before []verdict) []verdict {
	status := &o.experiment.Status
	switch failure := failureOf(status, before); {
	case failure == nil:
	case failure.reason == v1beta1.ReasonRefused:
		return []verdict{
			{v1beta1.ConditionSucceeded, false, failure.reason, failure.message},
			{v1beta1.ConditionProgressing, false, failure.reason, failure.message},
		}
	default:
		message := fmt.Sprintf("ended early with %d of %d measurements: %s", status.Finished, status.Planned, failure.message)
		return []verdict{
			{v1beta1.ConditionSucceeded, false, failure.reason, message},
			{v1beta1.ConditionProgressing, false, v1beta1.ReasonFailed, message},
		}
	}
	why, message := v1beta1.ReasonFinished, fmt.Sprintf("%s taken, %d of them invalid", textfmt.Count(int(status.Finished), "measurement"), status.Invalid)
	if judged := status.Precision; judged != nil {
		why, message = cmp.Or(judged.Reason, why), message+"; "+precision.Sentence(&o.experiment.Spec, judged)
	}
	out := []verdict{
		{v1beta1.ConditionComplete, true, why, message},
		{v1beta1.ConditionSucceeded, true, why, message},
		{v1beta1.ConditionFailed, false, v1beta1.ReasonFinished, "the run finished"},
		{v1beta1.ConditionProgressing, false, v1beta1.ReasonFinished, message},
	}
	if unscraped(o.measurements) {
		out = append(out, verdict{v1beta1.ConditionScraped, false, v1beta1.ReasonNotScraped, notScraped})
	}
	return out
}

// failureOf returns why the run failed, now or earlier; nil if it did not.
func failureOf(status *v1beta1.ExperimentStatus, now []verdict) *verdict {
	if at := slices.IndexFunc(now, func(v verdict) bool { return v.kind == v1beta1.ConditionFailed && v.value }); at >= 0 {
		return &now[at]
	}
	if failed := meta.FindStatusCondition(status.Conditions, v1beta1.ConditionFailed); failed != nil && failed.Status == metav1.ConditionTrue {
		return &verdict{failed.Type, true, failed.Reason, failed.Message}
	}
	return nil
}

// conditionsOfMeasurement returns all conditions of a measurement. They follow from the other fields of its status alone: it has no other conditions.
func conditionsOfMeasurement(m *v1beta1.Measurement) []verdict {
	status := &m.Status
	if status.Attempt == 0 {
		return nil
	}
	out := []verdict{startOf(m)}
	switch {
	case status.Result != nil:
		return append(out,
			verdict{v1beta1.ConditionFinished, true, v1beta1.ReasonCollected, fmt.Sprintf("%d operations, %d errors", status.Result.Operations, status.Result.Errors)},
			validityOf(status), scrapesOf(status))
	case len(status.InvalidReasons) > 0: // all attempts have failed
		return append(out, verdict{v1beta1.ConditionFinished, true, v1beta1.ReasonAttemptsUsedUp, "all attempts failed"}, validityOf(status))
	}
	return out
}

func startOf(m *v1beta1.Measurement) verdict {
	status := &m.Status
	if status.StartAt != nil {
		return verdict{v1beta1.ConditionStarted, true, v1beta1.ReasonAnnounced,
			fmt.Sprintf("%d load pods begin at %s", m.Spec.Pods, status.StartAt.UTC().Truncate(time.Microsecond).Format(time.RFC3339Nano))}
	}
	for _, failure := range status.Failures {
		if failure.Attempt == status.Attempt-1 {
			return verdict{v1beta1.ConditionStarted, false, v1beta1.ReasonRetrying, fmt.Sprintf("attempt %d failed: %s", failure.Attempt, failure.Message)}
		}
	}
	message := "load pods are being started"
	if m.Spec.Lead != "" {
		message += " for measurement " + m.Spec.Lead
	}
	return verdict{v1beta1.ConditionStarted, false, v1beta1.ReasonPreparing, message}
}

func validityOf(status *v1beta1.MeasurementStatus) verdict {
	switch {
	case status.Valid:
		return verdict{v1beta1.ConditionValid, true, v1beta1.ReasonAllGatesPassed, "the figures may be used"}
	case status.Result == nil:
		return verdict{v1beta1.ConditionValid, false, v1beta1.ReasonNoResult, shortened(status.InvalidReasons[len(status.InvalidReasons)-1])}
	}
	return verdict{v1beta1.ConditionValid, false, string(status.Reasons[0]), shortened(strings.Join(status.InvalidReasons, results.Separator))}
}

// scrapesOf reports whether the load pods were scraped before they delivered.
func scrapesOf(status *v1beta1.MeasurementStatus) verdict {
	if slices.ContainsFunc(status.Parts, func(part v1beta1.Part) bool { return part.Scraped }) {
		return verdict{v1beta1.ConditionScraped, true, v1beta1.ReasonScraped, "load pods were scraped before they delivered"}
	}
	return verdict{v1beta1.ConditionScraped, false, v1beta1.ReasonNotYet, "no load pod was scraped before it delivered; each then waited for a first scrape"}
}

// setConditions sets conditions. The time of a transition is that at which the status of the condition changed.
func setConditions(conditions *[]metav1.Condition, verdicts []verdict, generation int64, now time.Time) {
	for _, v := range verdicts {
		condition := metav1.Condition{Type: v.kind, Status: metav1.ConditionFalse, Reason: v.reason, Message: v.message, ObservedGeneration: generation}
		if v.value {
			condition.Status = metav1.ConditionTrue
		}
		if present := meta.FindStatusCondition(*conditions, v.kind); present == nil || present.Status != condition.Status {
			condition.LastTransitionTime = metav1.NewTime(now)
		}
		meta.SetStatusCondition(conditions, condition)
	}
}
