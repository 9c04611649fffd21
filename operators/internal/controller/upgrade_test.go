package controller_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

func merged(text string) client.Patch { return client.RawPatch(types.MergePatchType, []byte(text)) }

// A cluster with a run of the operator of f598315 is upgraded, rolled back in the middle of the next run, and upgraded again.
func TestRunsInProgressSurviveAnUpgradeAndARollback(t *testing.T) {
	t.Parallel()
	place := earlierHouse(t)
	const namespace = "upgraded"
	place.restore(namespace, earlier+"run.yaml.gz")
	place.apply(todaysCRDs(t)...)

	h := newHarnessIn(t, place.config, place.client, namespace)
	h.clock.SetTime(earlierTime)
	h.world.made = 100 // pods get addresses that the earlier ones do not have
	experiment := h.get(&v1alpha1.Experiment{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "quorum"}})
	require.Equal(t, int32(1), experiment.Status.Finished)
	const write, read = "quorum-r1-disruptor-write-1", "quorum-r1-disruptor-read-1"
	measured := h.measurement(write).Status.Result.DeepCopy()
	require.Equal(t, int64(1000), measured.Operations)

	t.Run("the earlier operator's run ends with valid rows", func(t *testing.T) {
		done := h.run(experiment)
		assert.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1alpha1.ConditionComplete), h.describe(experiment))
		assert.Equal(t, []int32{4, 4, 0}, []int32{done.Status.Planned, done.Status.Finished, done.Status.Invalid}, h.describe(experiment))
		for _, m := range h.measurements() {
			require.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
			assert.Equal(t, int64(1000), m.Status.Result.Operations, m.Name)
		}
		assert.Equal(t, measured, h.measurement(write).Status.Result, "what was measured stays")
		m := h.measurement(read)
		require.Len(t, m.Status.Failures, 1, "its load is started again: the earlier load pods cannot report")
		assert.Equal(t, v1alpha1.FailureLoadPodLost, m.Status.Failures[0].Reason)
		assert.Equal(t, int32(2), m.Status.Attempt)
		h.nothingLeft()
	})

	next := h.create(func(e *v1alpha1.Experiment) {
		e.Name = "next"
		e.Labels[v1alpha1.LabelRun] = "20261127-010000"
	})
	h.until(next, func() bool { return h.get(next).Status.Finished == 1 })
	h.world.holdLoad = true
	h.until(next, func() bool { return h.running("next-r1-disruptor-read-1") })
	require.NoError(t, place.client.Patch(t.Context(), beta(next), merged(`{"spec":{"suspend":true}}`)), "by a client of v1beta1, which is then among the managers of its fields")
	before := h.get(next)
	first := h.measurement("next-r1-disruptor-write-1")

	t.Run("a rollback is accepted and keeps everything readable", func(t *testing.T) {
		place.apply(earlierCRDs(t)...)
		crd := &unstructured.Unstructured{}
		crd.SetAPIVersion("apiextensions.k8s.io/v1")
		crd.SetKind("CustomResourceDefinition")
		require.NoError(t, place.client.Get(t.Context(), client.ObjectKey{Name: "experiments.ringside.dev"}, crd))
		stored, _, err := unstructured.NestedStringSlice(crd.Object, "status", "storedVersions")
		require.NoError(t, err)
		assert.Equal(t, []string{"v1alpha1"}, stored)
		require.EventuallyWithT(t, func(c *assert.CollectT) { // the API server takes CRDs over some time after it has stored them
			err := place.client.Get(t.Context(), client.ObjectKeyFromObject(next), beta(next))
			assert.Error(c, err, "it has no v1beta1")
		}, time.Minute, 100*time.Millisecond)
		after := h.get(next)
		hidden := before.Spec.DeepCopy()
		hidden.Gates.PendingCompactions = "" // the earlier CRD does not have it
		assert.Equal(t, *hidden, after.Spec)
		assert.Equal(t, before.Status.Finished, after.Status.Finished)
		assert.Equal(t, before.Status.Conditions, after.Status.Conditions)
		assert.Equal(t, first.Status.Result, h.measurement(first.Name).Status.Result)
		assert.Len(t, h.parts(), 1, "Helm leaves the CRD that its chart no longer has")
	})

	t.Run("clients of the stored version write it, also what a client of v1beta1 had written", func(t *testing.T) {
		require.NoError(t, place.client.Status().Patch(t.Context(), h.get(next), merged(`{"status":{"current":"rolled back"}}`)))
		require.NoError(t, place.client.Patch(t.Context(), h.get(next), merged(`{"spec":{"ttlAfterFinished":"48h"}}`)))
		apply := func() error {
			applied := beta(next)
			applied.SetAPIVersion("ringside.dev/v1alpha1")
			require.NoError(t, unstructured.SetNestedField(applied.Object, "72h", "spec", "ttlAfterFinished"))
			return place.client.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(applied), client.FieldOwner("desk"), client.ForceOwnership)
		}
		assert.ErrorContains(t, apply(), "request to convert CR to an invalid group/version: ringside.dev/v1beta1", "server-side apply is the exception")
		require.NoError(t, place.client.Patch(t.Context(), h.get(next), merged(`{"metadata":{"managedFields":[{}]}}`)))
		assert.NoError(t, apply(), "once the managers are forgotten")
	})

	t.Run("the run goes on after the next upgrade", func(t *testing.T) {
		place.apply(todaysCRDs(t)...)
		h.restart()
		h.world.holdLoad = false
		require.NoError(t, place.client.Patch(t.Context(), beta(next), merged(`{"spec":{"suspend":false}}`)))
		done := h.run(next)
		assert.Equal(t, []int32{2, 2, 0}, []int32{done.Status.Planned, done.Status.Finished, done.Status.Invalid}, h.describe(next))
		for _, name := range []string{first.Name, "next-r1-disruptor-read-1"} {
			m := h.measurement(name)
			assert.True(t, m.Status.Valid, "%s: %v", name, m.Status.InvalidReasons)
			assert.Equal(t, int32(1), m.Status.Attempt, name)
		}
		h.nothingLeft()
	})
}
