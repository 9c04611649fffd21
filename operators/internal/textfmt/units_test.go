package textfmt

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestTellsOperationsAndMillisecondsWhereTheChartSaysNothing(t *testing.T) {
	for _, u := range []Units{UnitsOf(nil), UnitsOf(&v1beta1.Experiment{}), UnitsOf(&v1beta1.Experiment{Status: v1beta1.ExperimentStatus{Units: &v1beta1.Units{Latency: v1beta1.LatencyMillis}}})} {
		assert.Equal(t, "operations", u.Operations())
		assert.Equal(t, "op/s", u.PerSecond())
		assert.Equal(t, "ms", u.Latency())
		assert.Equal(t, "0.123", u.Format(0.1234))
		assert.Equal(t, "95TH MS", u.Title("95TH MS"))
		assert.InDelta(t, 0.5, u.FromMillis(0.5, "ms"), 0)
	}
}

func TestTellsPacketsAndMicrosecondsWhereItDoes(t *testing.T) {
	u := UnitsOf(&v1beta1.Experiment{Status: v1beta1.ExperimentStatus{Units: &v1beta1.Units{Operations: "packets", Latency: v1beta1.LatencyMicros}}})
	assert.Equal(t, "packets", u.Operations())
	assert.Equal(t, "packets/s", u.PerSecond())
	assert.Equal(t, "µs", u.Latency())
	assert.Equal(t, "123.4", u.Format(0.1234))
	assert.Equal(t, "95TH µs", u.Title("95TH MS"))
	assert.InDelta(t, 500, u.FromMillis(0.5, "ms"), 0)
	assert.InDelta(t, 0.5, u.FromMillis(0.5, "1/s"), 0, "a rate is no latency")
	assert.Equal(t, "µs", u.Sign("ms"))
	assert.Equal(t, "1/s", u.Sign("1/s"))
	assert.Empty(t, u.Format(math.NaN()))
}
