package controller_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Deleting the reports of 64 load pods takes seconds on a busy API server. During a load it would disturb.
func TestTheReportsOfALoadAreRemovedWhileTheNextOneStarts(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Load.Pods = 2 })
	const first, second = "quorum-r1-disruptor-write-1", "quorum-r1-disruptor-read-1"
	reports := func() int {
		n := 0
		for _, part := range h.parts() {
			if part.Labels[v1beta1.LabelMeasurement] == first {
				n++
			}
		}
		return n
	}
	kept := false
	h.until(experiment, func() bool {
		if m := h.measurement(first); m == nil || !m.Finished() {
			return false
		}
		for _, job := range list(h.ctx, h.world, &batchv1.JobList{}).Items {
			if job.Labels[v1beta1.LabelMeasurement] == second {
				return true
			}
		}
		kept = true
		assert.Equal(t, 2, reports(), "while nothing waits for their deletion")
		return false
	})
	assert.True(t, kept)
	assert.Zero(t, reports())
}

func TestAMeasurementRecordsWhatItsLoadPodsReportedAndTheReportsGo(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Load.Pods = 2 })
	var most int
	h.until(experiment, func() bool {
		most = max(most, len(h.parts()))
		return h.get(experiment).Status.FinishedAt != nil
	})
	assert.Equal(t, 2, most, "those of one measurement at a time")
	assert.Empty(t, h.parts())
	require.Len(t, h.measurements(), 2)
	for _, m := range h.measurements() {
		require.Len(t, m.Status.Parts, 2)
		for i, part := range m.Status.Parts {
			assert.Equal(t, int32(i), part.Index)
			assert.Equal(t, v1beta1.PartDone, part.State)
			assert.NotEmpty(t, part.Logs, "for the export")
		}
	}
}
