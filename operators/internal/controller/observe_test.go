package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

func TestObservesTheRunsOwnMeasurementsAndWhatBearsTheNextOnesNames(t *testing.T) {
	measurement := func(name, run string, finished bool) *v1beta1.Measurement {
		m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, Labels: map[string]string{v1beta1.LabelRun: run}}}
		if finished {
			m.Status.Conditions = []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: metav1.ConditionTrue}}
		}
		return m
	}
	for _, test := range []struct {
		name    string
		present func(first, second string) []client.Object
		seen    func(first, second string) []string
		next    func(first, second string) string
	}{
		{"nothing of another run", func(first, _ string) []client.Object {
			return []client.Object{measurement(first, "mine", true), measurement("other-r1-hsha-read-1", "other", true)}
		}, func(first, _ string) []string { return []string{first} }, func(_, second string) string { return second }},
		{"but what another run has under the next one's name", func(first, second string) []client.Object {
			return []client.Object{measurement(first, "mine", true), measurement(second, "other", false)}
		}, func(first, second string) []string { return []string{first, second} }, func(_, second string) string { return second }},
		{"not yet what it has under a later one's", func(first, second string) []client.Object {
			return []client.Object{measurement(second, "other", true)}
		}, func(string, string) []string { return nil }, func(first, _ string) string { return first }},
		{"its own that lost its label, and what comes after", func(first, second string) []client.Object {
			return []client.Object{measurement(first, "", true), measurement(second, "mine", true)}
		}, func(first, second string) []string { return []string{first, second} }, func(string, string) string { return "" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newScene().o
			o.experiment.Namespace, o.experiment.Labels = "ns", map[string]string{v1beta1.LabelRun: "mine"}
			cells := o.plan.Cells()
			first, second := cells[0].Name, cells[1].Name
			scheme := runtime.NewScheme()
			require.NoError(t, v1beta1.AddToScheme(scheme))
			r := &Reconciler{Client: fake.NewClientBuilder().WithScheme(scheme).WithObjects(test.present(first, second)...).Build()}
			require.NoError(t, r.observeMeasurements(context.Background(), &o))
			assert.Equal(t, slices.Sorted(slices.Values(test.seen(first, second))), slices.Sorted(maps.Keys(o.measurements)))
			next, _ := o.currentCell()
			assert.Equal(t, test.next(first, second), next.Name)
		})
	}
}

func TestProgressIsTheLastThatMeasurementsOfTheRunTell(t *testing.T) {
	of := func(run string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Labels: map[string]string{v1beta1.LabelRun: run}}
	}
	part := func(run string, after int) v1beta1.MeasurementPart {
		at := metav1.NewMicroTime(noon.Add(time.Duration(after) * time.Second))
		return v1beta1.MeasurementPart{ObjectMeta: of(run), Part: v1beta1.Part{LastIntervalAt: &at}}
	}
	finished := v1beta1.Measurement{ObjectMeta: of("b"), Status: v1beta1.MeasurementStatus{Conditions: []metav1.Condition{{LastTransitionTime: metav1.NewTime(noon.Add(time.Minute))}}}}
	assert.Equal(t, map[string]time.Time{"a": noon.Add(7 * time.Second), "b": noon.Add(time.Minute)},
		progressByRun([]v1beta1.Measurement{finished}, []v1beta1.MeasurementPart{part("a", 7), part("a", 3), part("b", 1), {ObjectMeta: of("a")}}, noon.Add(time.Hour)))
}

func TestFixOfCreation_namesALimitRange(t *testing.T) {
	const other = "raise the quota, relax the policy or make what is missing"
	for fault, want := range map[string]string{
		`Pod "a" is invalid: spec.containers[0].resources.requests: Invalid value: "250m": must be less than or equal to cpu limit of 150m`: "a LimitRange of the namespace sets that limit: remove its default, or set limits in the experiment (resources)",
		`pods "a" is forbidden: exceeded quota: small, requested: pods=1`:                                                                   other,
	} {
		assert.Equal(t, want, fixOfCreation(fault))
	}
}

// Each measurement records the store's pods at its start.
func TestAMeasurementOnAStoreThatRestartedBeforeItSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		ready time.Duration
		edit  func(*observed)
		says  string
	}{
		"it came back later":          {time.Minute, func(*observed) {}, "store pod s-0 restarted or became unready after the store was ready, until 12:01:00: its caches may be cold and its code not compiled"},
		"it was there before":         {-time.Second, func(*observed) {}, ""},
		"a clock is a bit ahead":      {5 * time.Second, func(*observed) {}, ""},
		"a phase ended it on purpose": {time.Minute, func(o *observed) { o.plan.Stores[0].Cells[0].Spec.Faults = []v1beta1.FaultSpec{{}} }, ""},
		"a phase that is yet to come": {time.Minute, func(o *observed) { o.plan.Stores[0].Cells[1].Spec.Faults = []v1beta1.FaultSpec{{}} }, "store pod s-0 restarted or became unready after the store was ready, until 12:01:00: its caches may be cold and its code not compiled"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene().store(true).finished(writeCell).measurement(readCell, 1, true).with(c.edit)
			m := s.o.measurements[readCell]
			m.Status.StorePods = []v1beta1.StorePod{{Name: "s-0", ReadySince: &metav1.Time{Time: noon.Add(c.ready)}}}
			assert.Equal(t, c.says, restartedBefore(s.o, s.o.plan.Stores[0], m))
		})
	}
}

// The reduced measurement in the cache is sufficient to know that it has ended.
func TestALossOfDataIsSeenByWhatTheCacheHolds(t *testing.T) {
	s := newScene().store(true).finished(writeCell).with(survives("false")).with(anotherLife)
	s.o.measurements[writeCell] = newCutter().measurement(s.o.measurements[writeCell])
	assert.Equal(t, s.o.objects.Pods[0].Name, dataLost(s.o, s.o.plan.Stores[0]))
}

func TestMaintainedBefore_onTheSameStoreAndNode(t *testing.T) {
	task := func(task string, node int32) []v1beta1.FaultSpec {
		return []v1beta1.FaultSpec{{Kind: v1beta1.FaultMaintain, Task: task, Node: node}}
	}
	for name, test := range map[string]struct {
		earlier, now []v1beta1.FaultSpec
		want         string
	}{
		"the same":     {task("compact", 1), task("compact", 1), "compact of node 1"},
		"another task": {task("repair", 1), task("compact", 1), ""},
		"another node": {task("compact", 2), task("compact", 1), ""},
		"no task":      {[]v1beta1.FaultSpec{{Kind: v1beta1.FaultKill, Node: 1}}, []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill, Node: 1}}, ""},
	} {
		s := newScene().store(true).finished(writeCell)
		s.o.plan.Stores[0].Cells[0].Spec.Faults = test.earlier
		m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: readCell}, Spec: v1beta1.MeasurementSpec{Faults: test.now}}
		assert.Equal(t, test.want, maintainedBefore(s.o, s.o.plan.Stores[0], m), name)
	}
}

func TestCarriedOut_leavesNoFurtherAttempt(t *testing.T) {
	m := &v1beta1.Measurement{Spec: v1beta1.MeasurementSpec{Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultMaintain, Task: "compact", Node: 1}, {Kind: v1beta1.FaultPause}}}}
	assert.Empty(t, carriedOut(m))
	m.Status.Faults = []v1beta1.FaultStatus{{Index: 1}}
	assert.Empty(t, carriedOut(m), "a pause is the same the second time")
	m.Status.Faults = []v1beta1.FaultStatus{{Index: 1}, {Index: 0, Failure: "no right"}}
	assert.Empty(t, carriedOut(m), "it was not carried out")
	m.Status.Faults[1].Failure = ""
	assert.Contains(t, carriedOut(m), "node 1 was ordered to carry out compact")
}

func TestAJobThatBearsTheNameOfALoadsIsTheLoadsOwnOrInTheWay(t *testing.T) {
	measurement := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: "m", UID: "now"}}
	owned := func(kind, name string, uid types.UID) *batchv1.Job {
		owner := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: name, UID: uid}}
		return &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "m-a1", OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(owner, v1beta1.GroupVersion.WithKind(kind))}}}
	}
	assert.Empty(t, jobInTheWay(owned("Measurement", "m", "now"), measurement), "its own")
	assert.Empty(t, jobInTheWay(owned("Measurement", "m", "before"), measurement), "one of its name that was deleted: the garbage collector takes it away")
	going := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "m-a1", DeletionTimestamp: &metav1.Time{Time: noon}}}
	assert.Empty(t, jobInTheWay(going, measurement), "it goes away")
	for _, job := range []*batchv1.Job{{ObjectMeta: metav1.ObjectMeta{Name: "m-a1"}}, owned("CronJob", "m", "before"), owned("Measurement", "another", "before")} {
		assert.Equal(t, "start the load of measurement m: job m-a1 with the same name does not belong to Ringside; delete it, or give this run another name, and start a new run", jobInTheWay(job, measurement))
	}
}

func TestTheRecordedPartsLeaveOutWhatTheResultHas(t *testing.T) {
	parts := []v1beta1.Part{{Pod: "p", Operations: 7, State: v1beta1.PartSettling, Capacity: &v1beta1.Capacity{Rate: 400}}}
	assert.Equal(t, []v1beta1.Part{{Pod: "p", Operations: 7, State: v1beta1.PartDone}}, recorded(parts))
	assert.NotNil(t, parts[0].Capacity)
}

func TestTwoPodsOfOneIndexAreNoticedAndRecordedOnce(t *testing.T) {
	one, other, next := v1beta1.Part{Pod: "m-a1-0-aaaaa"}, v1beta1.Part{Pod: "m-a1-0-bbbbb"}, v1beta1.Part{Index: 1, Pod: "m-a1-1-aaaaa"}
	assert.Equal(t, []string{one.Pod, other.Pod}, twins([]v1beta1.Part{one, other, next}))
	assert.Nil(t, twins([]v1beta1.Part{one, next}))
	assert.Nil(t, twins(nil))
	assert.Equal(t, []v1beta1.Part{one, next}, recorded([]v1beta1.Part{one, other, next}), "the API allows one part for each index")
}

func TestReportsThatAreBeingDeletedAreNotDeletedAgain(t *testing.T) {
	e := simulated.Experiment("toy", "20261121-001500", []v1beta1.ServerSpec{{Name: "quick"}}, 1, 0, v1beta1.PhaseSpec{Name: "read"})
	m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: "m"}, Status: v1beta1.MeasurementStatus{
		Conditions: []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: metav1.ConditionTrue}}}}
	c := simulated.NewClient()
	left := v1beta1.MeasurementPart{ObjectMeta: metav1.ObjectMeta{Name: "m-a1-0-abcde"}, Part: v1beta1.Part{Attempt: 1, Pod: "m-a1-0-abcde", State: v1beta1.PartDone}}
	left.Namespace, left.Finalizers = simulated.Namespace, []string{"example.com/stay"}
	left.Labels = map[string]string{v1beta1.LabelRun: e.RunID(), v1beta1.LabelMeasurement: m.Name}
	require.NoError(t, c.Create(t.Context(), &left))
	spent := func() []string {
		o := observed{experiment: e, measurements: map[string]*v1beta1.Measurement{m.Name: m}}
		require.NoError(t, (&Reconciler{Client: c}).observeParts(t.Context(), &o))
		return o.spentParts
	}
	assert.Equal(t, []string{m.Name}, spent())
	require.NoError(t, c.Delete(t.Context(), &left))
	assert.Empty(t, spent(), "the removal of the store does not wait for another client's finalizer")
}

func TestOnlyAnotherStateOfALoadPodTriggersADecision(t *testing.T) {
	part := func(state v1beta1.PartPhase, operations int64) *v1beta1.MeasurementPart {
		return &v1beta1.MeasurementPart{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Part: v1beta1.Part{State: state, Operations: operations}}
	}
	changes := otherState()
	assert.True(t, changes.Create(event.CreateEvent{Object: part(v1beta1.PartReady, 0)}))
	assert.True(t, changes.Update(event.UpdateEvent{ObjectOld: part(v1beta1.PartRunning, 1), ObjectNew: part(v1beta1.PartDone, 1)}))
	assert.False(t, changes.Update(event.UpdateEvent{ObjectOld: part(v1beta1.PartRunning, 1), ObjectNew: part(v1beta1.PartRunning, 2)}))
	assert.False(t, changes.Delete(event.DeleteEvent{Object: part(v1beta1.PartDone, 1)}))
}

// logsOf stores logs of as many load pods in a cluster.
func logsOf(t *testing.T, c client.Client, pods, chunks int) (*v1beta1.Measurement, []v1beta1.Part) {
	t.Helper()
	m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Namespace: simulated.Namespace, Name: "m"}}
	parts := make([]v1beta1.Part, pods)
	for i := range parts {
		for chunk := range chunks {
			name := fmt.Sprintf("log-%d-%d", i, chunk)
			parts[i].Logs = append(parts[i].Logs, name)
			require.NoError(t, c.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: simulated.Namespace, Name: name,
				Labels: map[string]string{v1beta1.LabelMeasurement: m.Name}}, BinaryData: map[string][]byte{measure.LogKey: []byte(name)}}))
		}
	}
	return m, parts
}

func TestManySmallLogsAreReadAtOnceAndOthersByName(t *testing.T) {
	for name, test := range map[string]struct{ pods, chunks, unseen, lists, gets int }{
		"many":                         {pods: 64, chunks: 1, lists: 1},
		"many that are large":          {pods: 8, chunks: 2, gets: 16},
		"few":                          {pods: 3, chunks: 1, gets: 3},
		"some that the cache lacks":    {pods: 64, chunks: 1, unseen: 2, lists: 1, gets: 2},
		"a load that has delivered no": {},
	} {
		t.Run(name, func(t *testing.T) {
			plain := simulated.NewClient()
			m, parts := logsOf(t, plain, test.pods, test.chunks)
			var lists, gets int
			reader := interceptor.NewClient(plain, interceptor.Funcs{
				Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object, options ...client.GetOption) error {
					gets++
					return c.Get(ctx, key, o, options...)
				},
				List: func(ctx context.Context, c client.WithWatch, into client.ObjectList, options ...client.ListOption) error {
					lists++
					asked := (&client.ListOptions{}).ApplyOptions(options)
					assert.Equal(t, "0", asked.Raw.ResourceVersion, "from the API server's cache")
					err := c.List(ctx, into, options...)
					logs, _ := into.(*corev1.ConfigMapList)
					logs.Items = logs.Items[test.unseen:]
					return err
				},
			})
			logs, err := (&Reconciler{Reader: reader}).logs(t.Context(), m, parts)
			require.NoError(t, err)
			assert.Equal(t, []int{test.lists, test.gets}, []int{lists, gets})
			assert.Len(t, logs, test.pods*test.chunks)
			for name, log := range logs {
				assert.Equal(t, name, string(log))
			}
		})
	}
}

func TestALogThatIsMissingIsLost(t *testing.T) {
	reader := simulated.NewClient()
	m, parts := logsOf(t, reader, 8, 1)
	parts[5].Logs = []string{"gone"}
	_, err := (&Reconciler{Reader: reader}).logs(t.Context(), m, parts)
	require.ErrorIs(t, err, errLogLost)
	require.ErrorContains(t, err, "ConfigMap gone")
}
