package runs_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// A run that was created although the response was lost would occupy the cluster unnoticed.
func TestARunIsBegunThoughTheAnswerIsLost(t *testing.T) {
	lost := errors.New("connection reset by peer")
	kind := schema.GroupResource{Group: v1beta1.GroupVersion.Group, Resource: "experiments"}
	for _, test := range []struct {
		name   string
		done   bool
		answer error
		begun  bool
	}{
		{"an answer that was lost", true, lost, true},
		{"a server that gave up after it was done", true, apierrors.NewInternalError(lost), true},
		{"a request that was lost", false, lost, false},
		{"a refusal", false, apierrors.NewForbidden(kind, "toy", nil), false},
		{"a run of another who was first", true, apierrors.NewAlreadyExists(kind, "toy"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			cluster := runs.New(interceptor.NewClient(simulated.NewClient(), interceptor.Funcs{
				Create: func(ctx context.Context, c client.WithWatch, object client.Object, opts ...client.CreateOption) error {
					if test.done {
						require.NoError(t, c.Create(ctx, object, opts...))
					}
					return test.answer
				},
			}), simulated.Namespace, "simulation")
			object, err := runs.Object([]byte(`{"apiVersion":"ringside.dev/v1beta1","kind":"Experiment","spec":{"store":{"chart":"stub"}}}`), "toy", "20261121-001500", nil)
			require.NoError(t, err)
			run, err := cluster.Create(t.Context(), object, false)
			if !test.begun {
				assert.Error(t, err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "20261121-001500", run.RunID())
			assert.NotEmpty(t, run.ResourceVersion)
		})
	}
}

// Kubernetes' own words name neither the older CRDs nor the fix.
func TestCreate_namesCRDsThatAreOlder(t *testing.T) {
	cluster := runs.New(interceptor.NewClient(simulated.NewClient(), interceptor.Funcs{
		Create: func(context.Context, client.WithWatch, client.Object, ...client.CreateOption) error {
			return apierrors.NewBadRequest(`Experiment in version "v1beta1" cannot be handled as a Experiment: strict decoding error: unknown field "spec.load.podLabels"`)
		},
	}), simulated.Namespace, "simulation")
	object, err := runs.Object([]byte(`{"apiVersion":"ringside.dev/v1beta1","kind":"Experiment","spec":{"store":{"chart":"stub"}}}`), "toy", "20261121-001500", nil)
	require.NoError(t, err)
	_, err = cluster.Create(t.Context(), object, true)
	assert.ErrorContains(t, err, "are older than this ringside")
	assert.ErrorContains(t, err, "make install")
	assert.False(t, runs.Refused(err), "the experiment is not at fault")
}

// The created run is read from the response: a further request could fail, and the run would not be followed.
func TestWhatWasBegunIsNotAskedForOnceMore(t *testing.T) {
	cluster := runs.New(interceptor.NewClient(simulated.NewClient(), interceptor.Funcs{
		Get: func(context.Context, client.WithWatch, client.ObjectKey, client.Object, ...client.GetOption) error {
			return apierrors.NewGenericServerResponse(http.StatusServiceUnavailable, "get", schema.GroupResource{}, "toy", "", 0, false)
		},
	}), simulated.Namespace, "simulation")
	object, err := runs.Object([]byte(`{"apiVersion":"ringside.dev/v1beta1","kind":"Experiment","spec":{"store":{"chart":"stub"}}}`), "toy", "20261121-001500", nil)
	require.NoError(t, err)
	run, err := cluster.Create(t.Context(), object, false)
	require.NoError(t, err)
	assert.Equal(t, "toy-20261121-001500", run.Name)
}
