package controller

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

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

func TestOnlyWhatWasExportedWholeIsRemovedWhenItsTimeIsOver(t *testing.T) {
	hour := &metav1.Duration{Duration: time.Hour}
	end := noon.Add(-3*time.Hour + 300*time.Millisecond) // the annotation has whole seconds, the status a fraction
	exportOf := func(end time.Time) map[string]string {
		return map[string]string{v1beta1.AnnotationExportedEnd: v1beta1.ExportMark(metav1.NewTime(end))}
	}
	seen := func(ago time.Duration) *metav1.Time { return &metav1.Time{Time: noon.Add(-ago)} }
	for _, test := range []struct {
		name   string
		ttl    *metav1.Duration
		marks  map[string]string
		seenAt *metav1.Time
		want   step
	}{
		{"it stays where nothing bounds its time", nil, exportOf(end), nil, nothing{}},
		{"it stays where it was never exported", hour, nil, nil, nothing{}},
		{"it stays where the mark is no time", hour, map[string]string{v1beta1.AnnotationExportedEnd: "today"}, nil, nothing{}},
		{"it stays where it was exported before its end", hour, exportOf(end.Add(-time.Second)), nil, nothing{}},
		{"it stays where the mark is of a later end than its own", hour, exportOf(end.Add(time.Hour)), seen(2 * time.Hour), nothing{}},
		{"its time begins when the export is seen, whatever the exporter's clock", hour, exportOf(end.In(time.FixedZone("", 3600))), nil, noteExport{}},
		{"it has its time from then on", hour, exportOf(end), seen(20 * time.Minute), lookAgain{after: 40 * time.Minute}},
		{"it is removed when its time is over", hour, exportOf(end), seen(time.Hour), removeRun{}},
		{"it is removed once it is exported, where it has no time at all", &metav1.Duration{}, exportOf(end), seen(0), removeRun{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newScene().with(func(o *observed) {
				o.experiment.Finalizers = nil
				o.experiment.Status.FinishedAt, o.experiment.Status.ExportedAt = &metav1.Time{Time: end}, test.seenAt
				o.experiment.Spec.TTLAfterFinished, o.experiment.Annotations = test.ttl, test.marks
			})
			assert.Equal(t, test.want, nextStep(o.o))
		})
	}
}

func TestAMissingRightMayComeBackAndAQuotaOrAPolicyDoesNot(t *testing.T) {
	pods := schema.GroupResource{Resource: "pods"}
	for message, lasts := range map[string]bool{
		`User "system:serviceaccount:ringside:ringside-operator" cannot create resource "pods" in API group "" in the namespace "ringside"`: false,
		`User "x" cannot create resource "pods": RBAC: role.rbac.authorization.k8s.io "ringside-operator" not found`:                        false,
		`exceeded quota: team, requested: cpu=2, used: cpu=7, limited: cpu=8`:                                                               true,
		`violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false`:                                                       true,
		`ValidatingAdmissionPolicy 'images' with binding 'images' denied request: no such registry`:                                         true,
		`admission webhook "validate.kyverno.svc" denied the request: no`:                                                                   true,
		`maximum cpu usage per Container is 1, but limit is 2`:                                                                              true,
	} {
		assert.Equal(t, lasts, lasting(apierrors.NewForbidden(pods, "x", errors.New(message))), message)
	}
	assert.True(t, lasting(apierrors.NewBadRequest("no")))
}

func TestThePauseAfterADecisionGrowsWithItsDuration(t *testing.T) {
	var p pace
	assert.Zero(t, p.rest(noon), "before the first decision")
	p.took(noon, noon.Add(2*time.Millisecond))
	assert.Equal(t, 38*time.Millisecond, p.rest(noon.Add(2*time.Millisecond)))
	assert.Equal(t, 28*time.Millisecond, p.rest(noon.Add(12*time.Millisecond)))
	assert.Zero(t, p.rest(noon.Add(time.Second)))
	p.took(noon, noon.Add(time.Minute))
	assert.Equal(t, longestRest, p.rest(noon.Add(time.Minute)))
}

// delays is a queue that records for how long each request is delayed.
type delays struct {
	workqueue.TypedRateLimitingInterface[reconcile.Request]
	all []time.Duration
}

func (d *delays) AddAfter(_ reconcile.Request, after time.Duration) { d.all = append(d.all, after) }

func TestChangesDuringThePauseWaitForItsEnd(t *testing.T) {
	var p pace
	mapped := func(context.Context, client.Object) []reconcile.Request { return []reconcile.Request{{}} }
	queue := &delays{}
	changed := p.handler(mapped)
	changed.Create(t.Context(), event.CreateEvent{Object: &v1beta1.MeasurementPart{}}, queue)
	now := time.Now()
	p.took(now.Add(-time.Minute), now)
	changed.Update(t.Context(), event.UpdateEvent{ObjectNew: &v1beta1.MeasurementPart{}}, queue)
	changed.Delete(t.Context(), event.DeleteEvent{Object: &v1beta1.MeasurementPart{}}, queue)
	assert.Zero(t, queue.all[0])
	for _, after := range queue.all[1:] {
		assert.Greater(t, after, time.Duration(0))
		assert.LessOrEqual(t, after, longestRest)
	}
}
