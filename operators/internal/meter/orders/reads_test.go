package orders

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestReadsIO_whereALoadHasTheStoreToItself(t *testing.T) {
	for name, test := range map[string]struct {
		spec v1beta1.MeasurementSpec
		want bool
	}{
		"an ordinary phase":       {v1beta1.MeasurementSpec{}, true},
		"a search":                {v1beta1.MeasurementSpec{Capacity: &v1beta1.CapacitySpec{}}, true},
		"servers that take turns": {v1beta1.MeasurementSpec{Interleave: &v1beta1.Interleave{}}, false},
		"rest":                    {v1beta1.MeasurementSpec{Idle: true}, false},
		"a kill":                  {v1beta1.MeasurementSpec{Recovery: &v1beta1.RecoverySpec{}}, false},
		"a profile":               {v1beta1.MeasurementSpec{Profile: &v1beta1.ProfileOrder{}}, false},
		"a fault":                 {v1beta1.MeasurementSpec{Faults: []v1beta1.FaultSpec{{}}}, false},
	} {
		assert.Equal(t, test.want, ReadsIO(test.spec), name)
	}
}
