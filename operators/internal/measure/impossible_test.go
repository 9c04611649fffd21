package measure

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

func TestImpossible_removesAndNamesFigures(t *testing.T) {
	result := v1alpha1.Result{
		OpRate: "NaN", KeyRate: "12.0",
		Latencies: []v1alpha1.Latency{{MedianMillis: "1.000", MeanMillis: "-3.000"}},
		Faults:    []v1alpha1.FaultEffect{{}, {Availability: "+Inf"}},
		Capacity:  &v1alpha1.Capacity{Steps: []v1alpha1.CapacityStep{{PercentileMillis: "2.000", QueueGrowth: "-4.0"}}},
	}
	assert.Equal(t, []string{"capacity.steps[0].percentileMillis=-1.000"}, Impossible(&v1alpha1.Result{Capacity: &v1alpha1.Capacity{Steps: []v1alpha1.CapacityStep{{PercentileMillis: "-1.000"}}}}))
	assert.Equal(t, []string{"faults[1].availability=+Inf", "opRate=NaN", "latencies[0].meanMillis=-3.000"}, Impossible(&result))
	assert.Equal(t, v1alpha1.Decimal("0.0"), result.OpRate, "the schema requires one")
	assert.Empty(t, result.Faults[1].Availability)
	assert.Equal(t, v1alpha1.Decimal("-4.0"), result.Capacity.Steps[0].QueueGrowth, "a queue may shrink")
	assert.Empty(t, Impossible(&result))
}
