package controller

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/plan"
)

// queued returns a number of waiting runs, one created after the other.
func queued(count int) []client.Object {
	var all []client.Object
	for i := range count {
		name := fmt.Sprintf("waiting-%03d", i)
		all = append(all, &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name),
			CreationTimestamp: metav1.NewTime(noon.Add(time.Duration(i) * time.Second))}})
	}
	return all
}

func TestAQueueOfManyRunsAsksTheAPIServerOnce(t *testing.T) {
	scheme := runtime.NewScheme()
	require.NoError(t, v1beta1.AddToScheme(scheme))
	all := queued(200)
	lists := 0
	counted := interceptor.Funcs{List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, options ...client.ListOption) error {
		lists++
		return c.List(ctx, list, options...)
	}}
	server := fake.NewClientBuilder().WithScheme(scheme).WithObjects(all...).Build()
	r := &Reconciler{Client: server, Reader: interceptor.NewClient(server, counted)}
	for i, waiting := range all {
		ahead, err := r.aheadInQueue(t.Context(), waiting.(*v1beta1.Experiment))
		require.NoError(t, err)
		assert.Equal(t, i == 0, ahead == "", waiting.GetName())
	}
	assert.Equal(t, 1, lists)
}

func TestOnlyWhatChangesTheQueueWakesTheOthers(t *testing.T) {
	now := metav1.NewTime(noon)
	for name, test := range map[string]struct {
		change func(*v1beta1.Experiment)
		wakes  bool
	}{
		"progress": {func(e *v1beta1.Experiment) { e.Status.Current, e.Status.Finished = "writes on hsha", 7 }, false},
		"a start":  {func(e *v1beta1.Experiment) { e.Status.StartedAt = &now }, true},
		"an end":   {func(e *v1beta1.Experiment) { e.Status.FinishedAt = &now }, true},
		"a stop":   {func(e *v1beta1.Experiment) { e.Spec.Suspend = true }, true},
		"removal":  {func(e *v1beta1.Experiment) { e.DeletionTimestamp = ptr.To(now) }, true},
	} {
		before := queued(1)[0].(*v1beta1.Experiment)
		after := before.DeepCopy()
		test.change(after)
		assert.Equal(t, test.wakes, moves().Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after}), name)
	}
	assert.True(t, moves().Create(event.CreateEvent{Object: queued(1)[0]}))
	assert.True(t, moves().Delete(event.DeleteEvent{Object: queued(1)[0]}))
}

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

func TestThePlanIsKeptWhileWhatItFollowsFromIsTheSame(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*v1beta1.Experiment)
		kept   bool
	}{
		"another version": {func(e *v1beta1.Experiment) { e.ResourceVersion, e.Status.Current = "2", "measuring" }, true},
		"another spec":    {func(e *v1beta1.Experiment) { e.Generation, e.Spec.Rounds = 2, 2 }, false},
		"another run":     {func(e *v1beta1.Experiment) { e.Labels = map[string]string{v1beta1.LabelRun: "other"} }, false},
		"another seed":    {func(e *v1beta1.Experiment) { e.Status.Seed = ptr.To(int64(2)) }, false},
		"another object":  {func(e *v1beta1.Experiment) { e.UID, e.Name = "f", "other" }, false},
		"judged rounds":   {func(e *v1beta1.Experiment) { e.Status.Precision = &v1beta1.PrecisionStatus{Rounds: 1} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := newScene().o.experiment
			var plans lastPlan
			before := plans.of(e)
			assert.Equal(t, plan.OfRun(e), before)
			test.change(e)
			after := plans.of(e)
			assert.Equal(t, plan.OfRun(e), after)
			assert.Equal(t, test.kept, &before.Stores[0] == &after.Stores[0])
		})
	}
}

func TestProgressTellsThatNoNodeTakesTheLoad(t *testing.T) {
	waits := func(change func(*observed)) wait {
		step, is := nextStep(newScene().store(true).measurement(writeCell, 1, false, v1beta1.PartReady).job().with(change).o).(wait)
		require.True(t, is)
		return step
	}
	taken := waits(func(*observed) {})
	nowhere := []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
		Message: "0/4 nodes are available", LastTransitionTime: metav1.Time{Time: noon}}}
	placeless := waits(func(o *observed) { o.loadPods[1].Status.Conditions = nowhere })
	assert.Equal(t, taken.current+" is waiting for its load; pod p1 is not scheduled yet: 0/4 nodes are available (timeout at 12:02:30)", placeless.current)
	store := nextStep(newScene().store(false).with(func(o *observed) { o.objects.Slices, o.objects.Pods[0].Status.Conditions = nil, nowhere }).o).(wait)
	assert.Contains(t, store.current, " is not scheduled yet: 0/4 nodes are available (timeout at ", "an autoscaler may add one, or nobody")
	assert.Contains(t, placeless.message, "1 of 2 load pods are ready; pod p1 is not scheduled yet: 0/4 nodes are available (timeout at 12:02:30)")
}

func TestAPodThatWaitsForANodeIsToldWhoHoldsWhatItAsksFor(t *testing.T) {
	pod := func(component, container, node string, phase corev1.PodPhase, others ...string) corev1.Pod {
		out := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{v1beta1.LabelComponent: component}},
			Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: container, Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse("1500m"), corev1.ResourceMemory: resource.MustParse("1Gi")}}}}},
			Status: corev1.PodStatus{Phase: phase}}
		for _, name := range others {
			out.Spec.Containers = append(out.Spec.Containers, corev1.Container{Name: name})
		}
		return out
	}
	kept := pod("load", "load", "n1", corev1.PodRunning, "meter", "mesh-proxy")
	for _, name := range []string{"load", "meter"} {
		kept.Status.ContainerStatuses = append(kept.Status.ContainerStatuses, corev1.ContainerStatus{Name: name, State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}})
	}
	pods := []corev1.Pod{kept, kept, pod("load", "load", "n2", corev1.PodRunning, "meter"), pod("store", "cassandra", "n3", corev1.PodRunning),
		pod("load", "load", "n1", corev1.PodSucceeded), pod("load", "load", "", corev1.PodPending)}
	text := "2 pods that ended their load but are not removed (foreign container: mesh-proxy) with 3 of CPU and 2Gi of memory, " +
		"1 pod of loads that run or wait for a scrape with 1500m of CPU and 1Gi of memory, 1 pod of stores with 1500m of CPU and 1Gi of memory"
	assert.Equal(t, text, holders(pods))
	assert.Empty(t, holders(nil))

	step := nextStep(newScene().store(true).measurement(writeCell, 1, false, v1beta1.PartReady).job().with(func(o *observed) {
		o.loadPods[1].Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
			Message: "0/4 nodes are available: 4 Insufficient cpu", LastTransitionTime: metav1.Time{Time: noon}}}
		o.holders = holders(pods)
	}).o)
	assert.Contains(t, step.(wait).message, "4 Insufficient cpu (timeout at 12:02:30); of what nodes have, Ringside's pods hold: "+text)
}
