package controller_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/controller"
	"ringside.dev/ringside/operators/internal/operator"
	"ringside.dev/ringside/operators/internal/storechart"
)

// A permanent rejection by the API server ends the run, so that it does not hold its store and block the queue.
func TestRefusalByTheAPIServerEndsTheRunWithFaultAndFix(t *testing.T) {
	forbidden := apierrors.NewForbidden(schema.GroupResource{Resource: "things"}, "x", assert.AnError)
	overQuota := apierrors.NewForbidden(schema.GroupResource{Resource: "things"}, "x", errors.New("exceeded quota: team"))
	invalid := apierrors.NewInvalid(schema.GroupKind{Kind: "Thing"}, "x", nil)
	for _, test := range []struct {
		name    string
		refuses func(verb string, o client.Object) error
		install error
		says    []string
	}{
		{"a measurement that the schema does not allow", func(verb string, o client.Object) error {
			if _, is := o.(*v1beta1.Measurement); is && verb == "create" {
				return invalid
			}
			return nil
		}, nil, []string{"create measurement", "is invalid", "correct the field"}},
		{"a job over the quota", func(verb string, o client.Object) error {
			if _, is := o.(*batchv1.Job); is && verb == "create" {
				return overQuota
			}
			return nil
		}, nil, []string{"create job", "is forbidden", "change the quota or policy"}},
		{"a result that is too large", func(verb string, o client.Object) error {
			if m, is := o.(*v1beta1.Measurement); is && verb == "patch status" && m.Status.Result != nil {
				return apierrors.NewRequestEntityTooLargeError("limit is 3145728")
			}
			return nil
		}, nil, []string{"write the status of measurement", "limit is 3145728", "use a smaller run"}},
		{"a status of the run that the schema does not allow", func(verb string, o client.Object) error {
			if e, is := o.(*v1beta1.Experiment); is && verb == "patch status" && e.Status.Store != nil && e.Status.Store.ReadyAt != nil && !failedAlready(e) {
				return invalid
			}
			return nil
		}, nil, []string{"write the status of experiment", "is invalid"}},
		{"the finalizer", func(verb string, o client.Object) error {
			if _, is := o.(*v1beta1.Experiment); is && verb == "patch" {
				return forbidden
			}
			return nil
		}, nil, []string{"finalizer", "grant the operator's Role"}},
		{"an object of the chart", nil, forbidden, []string{"is forbidden", "grant the operator's Role"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			h.operateWith(h.refusingClient(test.refuses), refusingReleases{Releases: h.releases, install: test.install})
			done := h.run(h.create(nil))
			failure := meta.FindStatusCondition(done.Status.Conditions, v1beta1.ConditionFailed)
			require.NotNil(t, failure)
			assert.Equal(t, v1beta1.ReasonAPIRefused, failure.Reason)
			for _, says := range test.says {
				assert.Contains(t, failure.Message, says)
			}
			assert.True(t, meta.IsStatusConditionFalse(done.Status.Conditions, v1beta1.ConditionComplete))
			assert.Nil(t, done.Status.Store)
			h.nothingLeft()
		})
	}
}

// A restarted API server, or an upgrade of the chart, may reject a right temporarily.
func TestARightThatComesBackCostsNoRun(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	refused := true
	h.operateWith(h.refusingClient(func(verb string, o client.Object) error {
		if _, is := o.(*batchv1.Job); is && verb == "create" && refused {
			return apierrors.NewForbidden(schema.GroupResource{Group: "batch", Resource: "jobs"}, o.GetName(), errors.New(`User "operator" cannot create resource "jobs"`))
		}
		return nil
	}), h.releases)
	experiment := h.create(nil)
	h.until(experiment, func() bool {
		progressing := meta.FindStatusCondition(h.get(experiment).Status.Conditions, v1beta1.ConditionProgressing)
		return progressing != nil && progressing.Reason == v1beta1.ReasonAPIRefused
	})
	for range 120 { // each step takes a second
		require.NoError(t, h.step(experiment))
	}
	require.False(t, failedAlready(h.get(experiment)), "two minutes without a right")
	refused = false
	done := h.run(experiment)
	assert.False(t, failedAlready(done), h.describe(experiment))
	assert.Equal(t, int32(2), done.Status.Finished)
}

func failedAlready(e *v1beta1.Experiment) bool {
	return meta.IsStatusConditionTrue(e.Status.Conditions, v1beta1.ConditionFailed)
}

// The remains of a failed removal would disturb the next run: the error is reported, and the removal is tried again
// until it is permitted.
func TestRefusedRemovalIsToldAndTriedAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	refused := true
	h.operateWith(h.refusingClient(func(verb string, o client.Object) error {
		if refused && verb == "delete" && o.GetObjectKind().GroupVersionKind().Kind != "Job" {
			return apierrors.NewForbidden(schema.GroupResource{Resource: "persistentvolumeclaims"}, o.GetName(), assert.AnError)
		}
		return nil
	}), h.releases)
	h.world.class = "test.SomethingElse" // the run fails with a store to remove
	experiment := h.create(nil)
	for range 200 {
		_ = h.step(experiment)
	}
	present := h.get(experiment)
	require.Nil(t, present.Status.FinishedAt)
	progressing := meta.FindStatusCondition(present.Status.Conditions, v1beta1.ConditionProgressing)
	assert.Contains(t, progressing.Message, "persistentvolumeclaims")
	assert.Contains(t, progressing.Message, "grant the operator's Role")
	refused = false
	h.run(experiment)
	h.nothingLeft()
}

func (h *harness) refusingClient(refuses func(verb string, o client.Object) error) client.Client {
	if refuses == nil {
		return h.client
	}
	scheme, err := operator.Scheme()
	require.NoError(h.t, err)
	inner, err := client.NewWithWatch(cluster, client.Options{Scheme: scheme})
	require.NoError(h.t, err)
	return interceptor.NewClient(inner, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.CreateOption) error {
			if err := refuses("create", o); err != nil {
				return err
			}
			return c.Create(ctx, o, options...)
		},
		Delete: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.DeleteOption) error {
			if err := refuses("delete", o); err != nil {
				return err
			}
			return c.Delete(ctx, o, options...)
		},
		Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch, options ...client.PatchOption) error {
			if err := refuses("patch", o); err != nil {
				return err
			}
			return c.Patch(ctx, o, p, options...)
		},
		SubResourcePatch: func(ctx context.Context, c client.Client, name string, o client.Object, p client.Patch, options ...client.SubResourcePatchOption) error {
			if err := refuses("patch "+name, o); err != nil {
				return err
			}
			return c.SubResource(name).Patch(ctx, o, p, options...)
		},
	})
}

// refusingReleases reject installations with the API server's error, as Helm returns it.
type refusingReleases struct {
	controller.Releases
	install error
}

func (r refusingReleases) Install(ctx context.Context, order storechart.Order) error {
	if r.install != nil {
		return r.install
	}
	return r.Releases.Install(ctx, order)
}
