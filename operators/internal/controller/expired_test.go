package controller_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// The time after the end of a run begins with its export: without one the run stays, whatever its spec says.
func TestFinishedRunIsRemovedAnHourAfterItsExportAndNotBefore(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.TTLAfterFinished = &metav1.Duration{Duration: time.Hour}
	})
	stays := func(why string) {
		t.Helper()
		for range 5 {
			require.NoError(t, h.step(experiment))
		}
		require.Nil(t, h.get(experiment).DeletionTimestamp, why)
		require.Len(t, h.measurements(), 2, why)
	}
	// The exporter marks the run with the end that it read; here, first with one of an export that was too early.
	mark := func(end metav1.Time) {
		t.Helper()
		changed := h.get(experiment)
		metav1.SetMetaDataAnnotation(&changed.ObjectMeta, v1beta1.AnnotationExportedEnd, v1beta1.ExportMark(end))
		require.NoError(t, h.client.Update(h.ctx, changed))
	}
	mark(metav1.NewTime(h.clock.Now()))
	h.clock.SetTime(h.clock.Now().Add(time.Minute))
	h.run(experiment)
	h.clock.SetTime(h.clock.Now().Add(1000 * time.Hour))
	stays("its last results were not exported")

	mark(*h.get(experiment).Status.FinishedAt)
	stays("its hour has begun")
	h.clock.SetTime(h.clock.Now().Add(50 * time.Minute))
	stays("its hour is not over")

	h.clock.SetTime(h.clock.Now().Add(20 * time.Minute))
	h.until(experiment, func() bool {
		return apierrors.IsNotFound(h.client.Get(h.ctx, client.ObjectKeyFromObject(experiment), &v1beta1.Experiment{}))
	})
	h.nothingLeft()
	for _, m := range h.measurements() {
		owner := metav1.GetControllerOf(&m)
		if assert.NotNil(t, owner, m.Name) {
			assert.Equal(t, experiment.UID, owner.UID, "the cluster's garbage collector removes what the run owned")
		}
	}
}
