package controller_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/operator"
	"ringside.dev/ringside/operators/internal/runs"
)

// deleteNamespace deletes the namespace. There is no controller here that deletes its content: it stays, but nothing
// can be created in it.
func (h *harness) deleteNamespace() {
	h.t.Helper()
	require.NoError(h.t, h.client.Delete(h.ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: h.namespace}}))
}

func TestTheOperatorLetsGoOfItsRunsWhenItsNamespaceIsDeleted(t *testing.T) {
	for _, test := range []struct {
		name    string
		until   func(h *harness, e *v1beta1.Experiment) bool
		deleted bool
	}{
		{"while a store is installed", func(h *harness, e *v1beta1.Experiment) bool { return h.get(e).Status.Store != nil }, false},
		{"in a measurement", func(h *harness, e *v1beta1.Experiment) bool { return len(h.measurements()) > 0 }, false},
		{"while the run is removed", func(h *harness, e *v1beta1.Experiment) bool { return len(h.measurements()) > 0 }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			experiment := h.create(nil)
			h.until(experiment, func() bool { return test.until(h, experiment) })
			require.Contains(t, h.get(experiment).Finalizers, v1beta1.Finalizer)
			if test.deleted {
				require.NoError(t, h.client.Delete(h.ctx, h.get(experiment)))
			}
			h.deleteNamespace()
			steps := 0
			for ; h.present(experiment) && len(h.get(experiment).Finalizers) > 0; steps++ {
				require.Less(t, steps, 5, "Kubernetes leaves it five seconds: %s", h.describe(experiment))
				require.NoError(t, h.stepAlone(experiment))
			}
			for range 5 {
				require.NoError(t, h.stepAlone(experiment))
			}
			assert.False(t, test.deleted && h.present(experiment), "what was deleted is gone")
			if h.present(experiment) {
				assert.Empty(t, h.get(experiment).Finalizers, "it is not taken up again")
			}
		})
	}
}

func TestNoOperatorIsNeededToDeleteARunThatHasEndedOrWaits(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	ended := h.create(func(e *v1beta1.Experiment) { e.Name = "ended" })
	h.run(ended)
	under := h.create(func(e *v1beta1.Experiment) { e.Name = "under-way" })
	h.until(under, func() bool { return h.get(under).Status.StartedAt != nil })
	waits := h.create(func(e *v1beta1.Experiment) { e.Name = "waits" })
	for range 10 {
		require.NoError(t, h.step(waits))
	}
	refused := h.create(func(e *v1beta1.Experiment) { e.Name, e.Spec.Store.Chart = "refused", "no-such" })
	h.run(refused)
	for _, e := range []*v1beta1.Experiment{ended, waits, refused} {
		require.NoError(t, h.client.Delete(h.ctx, h.get(e)))
		assert.False(t, h.present(e), e.Name)
	}
}

// The operator was deleted with the namespace before it could remove the finalizer: only force helps.
func TestARunThatHoldsADeletedNamespaceIsReleasedByForce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.until(experiment, func() bool { return h.get(experiment).Status.Store != nil })
	require.NoError(t, h.client.Delete(h.ctx, h.get(experiment)))
	h.deleteNamespace()
	require.True(t, h.present(experiment), "its finalizer keeps it, and it keeps the namespace")

	scheme, err := operator.Scheme()
	require.NoError(t, err)
	watching, err := client.NewWithWatch(cluster, client.Options{Scheme: scheme})
	require.NoError(t, err)
	person := runs.New(watching, h.namespace, "test")
	how := runs.Removal{Poll: time.Millisecond, Patience: time.Minute}
	require.ErrorContains(t, person.Remove(h.ctx, h.get(experiment), how), "namespace "+h.namespace+" is being deleted, with its operator")
	// The deletion in the foreground has left a finalizer for the garbage collector, which does not run here.
	marked := h.get(experiment)
	marked.Finalizers = []string{v1beta1.Finalizer}
	require.NoError(t, h.client.Update(h.ctx, marked))
	how.Force = true
	var released *runs.ReleasedError
	require.ErrorAs(t, person.Remove(h.ctx, h.get(experiment), how), &released)
	assert.Equal(t, "its objects are deleted with the namespace", released.Left)
	assert.False(t, h.present(experiment))
}

// present reports whether the API server has the run.
func (h *harness) present(e *v1beta1.Experiment) bool {
	err := h.client.Get(h.ctx, client.ObjectKeyFromObject(e), &v1beta1.Experiment{})
	require.NoError(h.t, client.IgnoreNotFound(err))
	return !apierrors.IsNotFound(err)
}
