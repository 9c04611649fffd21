package controller

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"ringside.dev/ringside/operators/api/v1beta1"
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
