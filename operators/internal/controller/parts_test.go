package controller

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

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
