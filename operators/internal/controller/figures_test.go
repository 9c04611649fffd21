package controller_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// The operator's cache has none of a finished measurement's figures: no later write of the operator may remove them
// from the API server.
func TestAFinishedMeasurementKeepsAllOfItsFigures(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*v1beta1.Experiment){
		"phases of their own": func(e *v1beta1.Experiment) { e.Spec.Load.Pods = 2 },
		"interleaved":         interleavedRead,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			experiment := h.create(change)
			whole := map[string]v1beta1.Measurement{}
			h.until(experiment, func() bool {
				for _, m := range h.measurements() {
					if _, seen := whole[m.Name]; !seen && m.Finished() {
						whole[m.Name] = m
					}
				}
				return h.get(experiment).Status.FinishedAt != nil
			})
			require.NotEmpty(t, whole)
			for _, m := range h.measurements() {
				assert.Equal(t, whole[m.Name], m)
				require.NotNil(t, m.Status.Result)
				require.NotEmpty(t, m.Status.Result.Latencies)
				assert.NotEmpty(t, m.Status.Result.Latencies[0].Histogram)
				assert.Len(t, m.Status.Parts, int(m.Spec.Pods))
				assert.NotNil(t, m.Status.Environment)
				assert.NotNil(t, m.Status.Proof)
			}
		})
	}
}
