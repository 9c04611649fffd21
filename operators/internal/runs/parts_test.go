package runs_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// runOfTwo creates a run with two measurements, of which the first is finished, and a report of a load pod of each.
func runOfTwo(t *testing.T, c client.Client) (*v1beta1.Experiment, []*v1beta1.MeasurementPart) {
	t.Helper()
	operations := int64(100)
	e := simulated.Experiment("toy", "20261121-001500", []v1beta1.ServerSpec{{Name: "quick"}}, 1, 0,
		v1beta1.PhaseSpec{Name: "read", Repeats: 2, Threads: 5, Operations: &operations})
	require.NoError(t, c.Create(t.Context(), e))
	var reports []*v1beta1.MeasurementPart
	for i, cell := range plan.Build(e, 42).Cells() {
		m := simulated.Measurement(e, cell)
		require.NoError(t, c.Create(t.Context(), m))
		if i == 0 {
			_, err := simulated.Finish(m, time.Date(2026, 11, 21, 0, 16, 0, 0, time.UTC))
			require.NoError(t, err)
		}
		m.Status.Attempt = 1
		require.NoError(t, c.Status().Update(t.Context(), m))
		pod := plan.JobName(m.Name, 1) + "-0-abcde"
		report := &v1beta1.MeasurementPart{ObjectMeta: metav1.ObjectMeta{Namespace: m.Namespace, Name: pod, Labels: m.Labels, OwnerReferences: []metav1.OwnerReference{{UID: m.UID}}},
			Part: v1beta1.Part{Attempt: 1, Pod: pod, State: v1beta1.PartRunning, Operations: 50}}
		report.Labels[v1beta1.LabelMeasurement] = m.Name
		require.NoError(t, c.Create(t.Context(), report))
		reports = append(reports, report)
	}
	return e, reports
}

// current returns the parts of the measurement that is not finished; nil if it is not known yet.
func current(follower *runs.Follower) []v1beta1.Part {
	for _, m := range follower.Snapshot().Measurements {
		if !m.Finished() {
			return m.CurrentParts()
		}
	}
	return nil
}

func TestFollowsWhatLoadPodsReport(t *testing.T) {
	c := simulated.NewClient()
	e, reports := runOfTwo(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	follower := runs.New(c, simulated.Namespace, "simulation").Follow(ctx, e)
	operations := func() int64 {
		var sum int64
		for _, part := range current(follower) {
			sum += part.Operations
		}
		return sum
	}
	require.Eventually(t, func() bool { return operations() == 50 }, 10*time.Second, time.Millisecond)
	reports[1].Part.Operations = 75
	require.Eventually(t, func() bool { // until the watch has begun, and shows a change
		require.NoError(t, c.Update(ctx, reports[1]))
		return operations() == 75
	}, 10*time.Second, time.Millisecond)
	for _, m := range follower.Snapshot().Measurements {
		if m.Finished() {
			assert.Empty(t, m.Status.Parts, "of a finished one, what the operator has recorded counts")
		}
	}

	// An admission policy ties the owner and the name of a report to the pod that writes it, but not its labels.
	foreign := reports[0].DeepCopy()
	foreign.ResourceVersion, foreign.Labels = "", reports[1].Labels
	require.NoError(t, c.Delete(ctx, reports[0]))
	require.NoError(t, c.Create(ctx, foreign))
	reports[1].Part.Operations = 80
	require.NoError(t, c.Update(ctx, reports[1]))
	require.Eventually(t, func() bool { return operations() >= 80 }, 10*time.Second, time.Millisecond)
	assert.Equal(t, int64(80), operations(), "the report of another measurement's pod is not counted")

	require.NoError(t, c.Delete(ctx, reports[1]))
	require.Eventually(t, func() bool { return operations() == 0 }, 10*time.Second, time.Millisecond)
}
