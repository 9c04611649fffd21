package gates

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestWhatANodeThatIsLostTakesAlongIsMeasuredAndNoFault(t *testing.T) {
	e := Evidence{Spec: v1beta1.MeasurementSpec{TargetRate: 100, Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill}}},
		Result: v1beta1.Result{Operations: 900, Errors: 100, OpRate: "50.0"}}
	assert.Empty(t, failedOperations(e))
	assert.Empty(t, targetRate(e))
	e.StoreChange = "store pod s-0 restarted"
	assert.Equal(t, []string{"store restart: store pod s-0 restarted"}, messages(t, storeRestart(e)), "any other death is one")
	e.Spec.Faults = nil
	assert.NotEmpty(t, failedOperations(e))
	assert.NotEmpty(t, targetRate(e))
}
