package controller

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/plan"
)

// groupScene returns an interleaved read on two servers of one type in a shared store that is ready, and the names of
// the leading measurement and its companion.
func groupScene() (s *scene, lead, companion string) {
	s = newScene()
	spec := &s.o.experiment.Spec
	spec.Store.Hosting = v1beta1.HostingShared
	spec.Servers = []v1beta1.ServerSpec{{Name: "disruptor"}, {Name: "again", Type: "disruptor"}}
	spec.Phases = []v1beta1.PhaseSpec{{Name: "read", Repeats: 1, Threads: 2, Duration: &metav1.Duration{Duration: time.Minute},
		Interleave: &v1beta1.Interleave{Window: metav1.Duration{Duration: time.Second}}}}
	s.o.plan = plan.Build(s.o.experiment, 1)
	cells := s.o.plan.Cells()
	return s.store(true), cells[0].Name, cells[1].Name
}

func TestNextStepOfAGroup(t *testing.T) {
	const done = v1beta1.PartDone
	for _, test := range []struct {
		name string
		when func(s *scene, lead, companion string)
		then func(lead, companion string) step
	}{
		{"create the companions, too", func(s *scene, lead, _ string) { s.measurement(lead, 0, false) },
			func(lead, _ string) step { return createMeasurement{cell: plan.Cell{Name: lead}} }},
		{"begin the attempt of the lead alone", func(s *scene, lead, companion string) { s.measurement(lead, 0, false).measurement(companion, 0, false) },
			func(lead, _ string) step { return beginAttempt{cell: plan.Cell{Name: lead}} }},
		{"bring the companion to it before a job is made", func(s *scene, lead, companion string) { s.measurement(lead, 1, false).measurement(companion, 0, false) },
			func(lead, _ string) step { return alignCompanions{cell: plan.Cell{Name: lead}} }},
		{"and from the attempt before", func(s *scene, lead, companion string) {
			s.measurement(lead, 2, false).measurement(companion, 1, true, done)
		},
			func(lead, _ string) step { return alignCompanions{cell: plan.Cell{Name: lead}} }},
		{"a companion with a result of another load is brought to it, too", func(s *scene, lead, companion string) { s.measurement(lead, 1, false).finished(companion) },
			func(lead, _ string) step { return alignCompanions{cell: plan.Cell{Name: lead}} }},
		{"make a companion again that was deleted between attempts", func(s *scene, lead, _ string) { s.measurement(lead, 2, false) },
			func(lead, _ string) step { return createMeasurement{cell: plan.Cell{Name: lead}} }},
		{"then one job for all", func(s *scene, lead, companion string) { s.measurement(lead, 1, false).measurement(companion, 1, false) },
			func(lead, _ string) step { return createJob{cell: plan.Cell{Name: lead}} }},
		{"collect when the lead's part is done, which is the last", func(s *scene, lead, companion string) {
			s.measurement(lead, 1, true, done, done).measurement(companion, 1, true, done, done).job()
		}, func(string, string) step { return collectResult{} }},
		{"collect the rest after an operator died", func(s *scene, lead, companion string) {
			s.measurement(companion, 1, true, done, done).measurement(lead, 1, true, done, done)
			s.o.measurements[companion].Status.Conditions = []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: metav1.ConditionTrue}}
		}, func(string, string) step { return collectResult{} }},
		{"give up what was delivered to a companion that is gone", func(s *scene, lead, _ string) { s.measurement(lead, 1, true, done, done).job() },
			func(string, string) step { return giveUpAttempt{failure: v1beta1.FailureLoadPodLost} }},
		{"do not take another run's companion", func(s *scene, lead, companion string) {
			s.measurement(lead, 0, false).measurement(companion, 0, false).o.measurements[companion].OwnerReferences = nil
		}, func(string, string) step { return failRun{reason: v1beta1.ReasonLoadFailed} }},
		{"wait for a companion that is being deleted", func(s *scene, lead, companion string) {
			s.measurement(lead, 0, false).measurement(companion, 0, false).o.measurements[companion].DeletionTimestamp = &metav1.Time{Time: noon}
		}, func(string, string) step { return wait{progress: progress{reason: v1beta1.ReasonMeasuring}} }},
		{"do not measure a companion alone", func(s *scene, lead, _ string) { s.finished(lead) },
			func(string, string) step { return failRun{reason: v1beta1.ReasonLoadFailed} }},
		{"finish when all have", func(s *scene, lead, companion string) {
			s.finished(lead).finished(companion).o.experiment.Status.Store = nil
		},
			func(string, string) step { return finishRun{} }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, lead, companion := groupScene()
			test.when(s, lead, companion)
			got := nextStep(s.o)
			if aligned, is := got.(alignCompanions); is {
				got = alignCompanions{cell: plan.Cell{Name: aligned.cell.Name}}
			}
			assert.Equal(t, test.then(lead, companion), stated(got), got.String())
		})
	}
}

func TestLoadThatGoesRoundIsNotStartedOnceOneOfItsServersMoved(t *testing.T) {
	s, lead, companion := groupScene()
	s.measurement(lead, 1, false, v1beta1.PartReady, v1beta1.PartReady).measurement(companion, 1, false).job()
	s.o.measurements[lead].Spec.Arms = s.o.plan.Cells()[0].Spec.Arms
	env := &s.o.job.Spec.Template.Spec.Containers[0].Env
	*env = []corev1.EnvVar{{Name: orders.EnvArms, Value: "disruptor=10.0.0.1:9160;again=10.0.0.1:9160"}}
	assert.Equal(t, announceStart{}, stated(nextStep(s.o)))
	*env = []corev1.EnvVar{{Name: orders.EnvArms, Value: "disruptor=10.0.0.1:9160;again=10.0.0.9:9160"}}
	assert.Equal(t, giveUpAttempt{failure: v1beta1.FailureStoreRestarted}, stated(nextStep(s.o)))
}
