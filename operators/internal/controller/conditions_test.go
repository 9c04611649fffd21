package controller

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

func TestConditionsOfAnExperiment(t *testing.T) {
	is := func(kind string, status metav1.ConditionStatus, reason, message string) func(*observed) {
		return func(o *observed) {
			o.experiment.Status.Conditions = append(o.experiment.Status.Conditions, metav1.Condition{Type: kind, Status: status, Reason: reason, Message: message})
		}
	}
	fresh := func(o *observed) { o.experiment.Status.Conditions = nil }
	finished := func(o *observed) {
		o.experiment.Status.FinishedAt = &metav1.Time{Time: noon}
		o.experiment.Status.Planned, o.experiment.Status.Finished, o.experiment.Status.Invalid = 2, 2, 1
	}
	failed := is(v1beta1.ConditionFailed, metav1.ConditionTrue, v1beta1.ReasonStoreLost, "gone")
	for _, test := range []struct {
		name  string
		state []func(*observed)
		news  news
		want  []verdict
	}{
		{"none while nothing changes", nil, news{}, nil},
		{"accept a spec that is recorded", []func(*observed){fresh}, news{}, []verdict{
			{"Accepted", true, "Accepted", "2 measurements on 1 store, random order from seed 1"},
			{"Progressing", true, "Accepted", "2 measurements on 1 store, random order from seed 1"},
			{"Complete", false, "Accepted", "the run has not ended"},
		}},
		{"refuse a spec, with the reason of the problem", []func(*observed){fresh, finished, func(o *observed) { o.experiment.Status.Seed = nil }},
			news{refused: &problem.Problem{Reason: v1beta1.RefusedUnknownStore, What: "no chart", Fix: "use another"}}, []verdict{
				{"Accepted", false, "UnknownStore", "no chart: use another"},
				{"Failed", true, "Refused", "no chart: use another"},
				{"Succeeded", false, "Refused", "no chart: use another"},
				{"Progressing", false, "Refused", "no chart: use another"},
			}},
		{"report an activity", nil, news{activity: progress{reason: "Measuring", message: "m"}}, []verdict{{"Progressing", true, "Measuring", "m"}}},
		{"report that an activity is the last before a stop", []func(*observed){func(o *observed) { o.experiment.Spec.Suspend = true }},
			news{activity: progress{reason: "Measuring", message: "m"}},
			[]verdict{{"Progressing", true, "Measuring", "m; the run was asked to stop and stops before the next phase"}}},
		{"report no activity without a reason", nil, news{activity: progress{current: "c"}}, nil},
		{"report a store that does not answer", nil, news{unready: true, activity: progress{reason: "AwaitingStore", message: "w"}}, []verdict{
			{"Progressing", true, "AwaitingStore", "w"},
			{"StoreReady", false, "AwaitingStore", "w"},
		}},
		{"report a store that answers", nil, news{ready: "r"}, []verdict{{"StoreReady", true, "Answers", "r"}}},
		{"report a store that is gone", nil, news{removed: "r"}, []verdict{{"StoreReady", false, "Removed", "r"}}},
		{"fail, and keep progressing while the store is removed", nil, news{failure: progress{reason: "StoreLost", message: "gone"}}, []verdict{
			{"Failed", true, "StoreLost", "gone"},
			{"Complete", false, "StoreLost", "the run ended early"},
		}},
		{"end a failed run", []func(*observed){failed, finished}, news{}, []verdict{
			{"Succeeded", false, "StoreLost", "ended early with 2 of 2 measurements: gone"},
			{"Progressing", false, "Failed", "ended early with 2 of 2 measurements: gone"},
		}},
		{"end a complete run", []func(*observed){finished}, news{}, []verdict{
			{"Complete", true, "Finished", "2 measurements taken, 1 of them invalid"},
			{"Succeeded", true, "Finished", "2 measurements taken, 1 of them invalid"},
			{"Failed", false, "Finished", "the run finished"},
			{"Progressing", false, "Finished", "2 measurements taken, 1 of them invalid"},
		}},
		{"change nothing of a run that has ended", []func(*observed){finished, is(v1beta1.ConditionSucceeded, metav1.ConditionTrue, "Finished", "m")}, news{}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene()
			for _, change := range test.state {
				s.with(change)
			}
			assert.Equal(t, test.want, conditionsOf(s.o, test.news))
		})
	}
}

func TestConditionsOfAMeasurement(t *testing.T) {
	announced := verdict{"Started", true, "Announced", "2 load pods begin at 2026-11-26T12:00:00.5Z"}
	start := metav1.NewMicroTime(time.Date(2026, 11, 26, 12, 0, 0, 500_000_000, time.UTC))
	collected := verdict{"Finished", true, "Collected", "5 operations, 1 errors"}
	unscraped := verdict{"Scraped", false, "NotYet", "no load pod was scraped before it delivered; each then waited for a first scrape"}
	result := &v1beta1.Result{Operations: 5, Errors: 1}
	first := v1beta1.AttemptFailure{Attempt: 1, Message: "lost"}
	for _, test := range []struct {
		name   string
		status v1beta1.MeasurementStatus
		lead   string
		want   []verdict
	}{
		{"none before the first attempt", v1beta1.MeasurementStatus{}, "", nil},
		{"prepare", v1beta1.MeasurementStatus{Attempt: 1}, "", []verdict{{"Started", false, "Preparing", "load pods are being started"}}},
		{"prepare a companion", v1beta1.MeasurementStatus{Attempt: 1}, "l", []verdict{{"Started", false, "Preparing", "load pods are being started for measurement l"}}},
		{"try again", v1beta1.MeasurementStatus{Attempt: 2, Failures: []v1beta1.AttemptFailure{first}}, "",
			[]verdict{{"Started", false, "Retrying", "attempt 1 failed: lost"}}},
		{"start", v1beta1.MeasurementStatus{Attempt: 2, StartAt: &start, Failures: []v1beta1.AttemptFailure{first}}, "", []verdict{announced}},
		{"give up", v1beta1.MeasurementStatus{Attempt: 1, StartAt: &start, Failures: []v1beta1.AttemptFailure{first}, InvalidReasons: []string{"attempt 1: lost"},
			Reasons: []v1beta1.Reason{"LoadPodLost"}}, "", []verdict{announced,
			{"Finished", true, "AttemptsUsedUp", "all attempts failed"},
			{"Valid", false, "NoResult", "attempt 1: lost"}}},
		{"valid", v1beta1.MeasurementStatus{Attempt: 1, StartAt: &start, Result: result, Valid: true, Parts: []v1beta1.Part{{}, {Scraped: true}}}, "", []verdict{announced, collected,
			{"Valid", true, "AllGatesPassed", "the figures may be used"},
			{"Scraped", true, "Scraped", "load pods were scraped before they delivered"}}},
		{"invalid, with the reason of the first gate", v1beta1.MeasurementStatus{Attempt: 1, StartAt: &start, Result: result, InvalidReasons: []string{"errors: many", "disk: slow"},
			Reasons: []v1beta1.Reason{"ErrorsExceeded", "DiskNotSSD"}}, "", []verdict{announced, collected,
			{"Valid", false, "ErrorsExceeded", "errors: many; disk: slow"}, unscraped}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := &v1beta1.Measurement{Spec: v1beta1.MeasurementSpec{Pods: 2, Lead: test.lead}, Status: test.status}
			assert.Equal(t, test.want, conditionsOfMeasurement(m))
		})
	}
}

func TestAConditionKeepsTheTimeOfItsLastTransition(t *testing.T) {
	var conditions []metav1.Condition
	setConditions(&conditions, []verdict{{"Started", false, "Preparing", "a"}}, 1, noon)
	setConditions(&conditions, []verdict{{"Started", false, "Retrying", "b"}}, 1, noon.Add(time.Minute))
	assert.Equal(t, []metav1.Condition{{Type: "Started", Status: "False", Reason: "Retrying", Message: "b", ObservedGeneration: 1, LastTransitionTime: metav1.NewTime(noon)}}, conditions)
	setConditions(&conditions, []verdict{{"Started", true, "Announced", "c"}}, 2, noon.Add(time.Hour))
	assert.Equal(t, metav1.NewTime(noon.Add(time.Hour)), conditions[0].LastTransitionTime)
}
