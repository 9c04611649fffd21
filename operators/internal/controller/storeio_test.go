package controller_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestAMeasurementSaysWhatItsLoadMadeTheStoreWrite(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.spoil = func(_ *v1beta1.Measurement, part *v1beta1.Part) time.Duration {
		index := int64(part.Index)
		part.StoreReadings = &v1beta1.StoreReadings{
			Before: map[string]int64{"put_bytes": 100 + index, "written_bytes": 1000 + index},
			After:  map[string]int64{"put_bytes": 2100 - index, "written_bytes": 7000 - index},
			Sizes:  map[string]int64{"live_bytes": 400},
		}
		return 0
	}
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Phases = e.Spec.Phases[:1] })
	asked := false
	h.until(experiment, func() bool {
		for _, job := range list(h.ctx, h.world, &batchv1.JobList{}).Items {
			containers := job.Spec.Template.Spec.Containers
			asked = asked || hasVariable(containers[1], "RINGSIDE_COUNTERS") && !hasVariable(containers[0], "RINGSIDE_COUNTERS")
		}
		return h.get(experiment).Status.FinishedAt != nil
	})
	assert.True(t, asked, "meter is told where the store tells what it counted, the load is not")
	measurements := h.measurements()
	require.NotEmpty(t, measurements)
	for _, m := range measurements {
		require.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
		io := m.Status.Result.StoreIO
		require.NotNil(t, io)
		assert.Equal(t, int64(2000), *io.PutBytes)
		assert.Equal(t, v1beta1.Decimal("3.000"), io.WriteAmplification)
		assert.Nil(t, io.DiskBytes)
		assert.Empty(t, io.SpaceAmplification)
		assert.NotEmpty(t, io.WrittenPerOp)
	}
	h.nothingLeft()
}

func TestWhatAStoreWroteIsUnknownIfAPodOfItRestarted(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.world.holdLoad = true
	h.world.spoil = func(_ *v1beta1.Measurement, part *v1beta1.Part) time.Duration {
		part.StoreReadings = &v1beta1.StoreReadings{Before: map[string]int64{"written_bytes": 4000}, After: map[string]int64{"written_bytes": 4700}}
		return 0
	}
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.Gates.StoreRestart = v1beta1.GateWarn })
	h.until(experiment, func() bool { return h.running(firstWrite) })
	restartStorePod(h, 0)
	h.world.holdLoad = false
	h.run(experiment)
	measurements := h.measurements()
	require.Greater(t, len(measurements), 1)
	for _, m := range measurements {
		require.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
		assert.Equal(t, m.Name == firstWrite, m.Status.Result.StoreIO == nil, m.Name)
	}
	assert.Contains(t, h.measurement(firstWrite).Status.Warnings[0], "store restart: store pod")
}
