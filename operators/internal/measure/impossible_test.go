package measure

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestImpossible_removesAndNamesFigures(t *testing.T) {
	result := v1beta1.Result{
		OpRate: "NaN", KeyRate: "12.0",
		Latencies: []v1beta1.Latency{{MedianMillis: "1.000", MeanMillis: "-3.000"}},
		Faults:    []v1beta1.FaultEffect{{}, {Availability: "+Inf"}},
		Capacity:  &v1beta1.Capacity{Steps: []v1beta1.CapacityStep{{PercentileMillis: "2.000", QueueGrowth: "-4.0"}}},
	}
	assert.Equal(t, []string{"capacity.steps[0].percentileMillis=-1.000"}, Impossible(&v1beta1.Result{Capacity: &v1beta1.Capacity{Steps: []v1beta1.CapacityStep{{PercentileMillis: "-1.000"}}}}))
	assert.Equal(t, []string{"faults[1].availability=+Inf", "opRate=NaN", "latencies[0].meanMillis=-3.000"}, Impossible(&result))
	assert.Equal(t, v1beta1.Decimal("0.0"), result.OpRate, "the schema requires one")
	assert.Empty(t, result.Faults[1].Availability)
	assert.Equal(t, v1beta1.Decimal("-4.0"), result.Capacity.Steps[0].QueueGrowth, "a queue may shrink")
	assert.Empty(t, Impossible(&result))
}
