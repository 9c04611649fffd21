package cli

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// The operator was deleted with its namespace, or before its runs: only a run with a finalizer remains, and --force
// releases it.
func TestARunOfWhichNoOperatorIsLeftIsRemovedByForce(t *testing.T) {
	for name, test := range map[string]struct {
		away func(d *desk)
		says string
		left string
	}{
		"the operator is removed": {
			func(d *desk) {
				require.NoError(t, d.api.DeleteAllOf(t.Context(), &appsv1.Deployment{}, client.InNamespace(simulated.Namespace)))
			},
			"no operator runs in namespace ringside", "its store slow-r1-abc may be left behind, with its data: kubectl -n ringside delete statefulsets,",
		},
		"the namespace is being deleted": {
			func(d *desk) {
				d.faults.Get = func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
					err := c.Get(ctx, key, object, opts...)
					if _, is := object.(*corev1.Namespace); is {
						object.SetDeletionTimestamp(&metav1.Time{Time: time.Now()})
					}
					return err
				}
			},
			"namespace ringside is being deleted, with its operator", "its objects are deleted with the namespace",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, simulated.Operator{HangAfter: 2, KeepStore: true})
			d.hanging(2)
			hold(t, d)
			test.away(d)
			_, said := d.do(exitFailed, "remove", toyRun)
			assert.Contains(t, said, test.says+", but only an operator removes its store: make install installs one; --force releases the run")
			assert.NotNil(t, d.experiment())

			_, said = d.do(exitDone, "remove", toyRun, "--force")
			assert.Contains(t, said, "warning: "+test.says+"; the run was released by force: "+test.left)
			assert.Contains(t, said, "removed; its 2 finished measurements")
			var all v1beta1.ExperimentList
			require.NoError(t, d.api.List(t.Context(), &all))
			assert.Empty(t, all.Items)
		})
	}
}

// hold adds the finalizer, as an operator does before it installs a store.
func hold(t *testing.T, d *desk) {
	t.Helper()
	require.NoError(t, retry.RetryOnConflict(retry.DefaultRetry, func() error {
		held := d.experiment()
		held.Status.Store = &v1beta1.StoreStatus{Release: "slow-r1-abc"}
		if err := d.api.Status().Update(t.Context(), held); err != nil {
			return err
		}
		held.Finalizers = append(held.Finalizers, v1beta1.Finalizer)
		return d.api.Update(t.Context(), held)
	}))
}
