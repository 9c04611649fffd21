package orders

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

func TestReadsIO_whereALoadHasTheStoreToItself(t *testing.T) {
	for name, test := range map[string]struct {
		spec v1alpha1.MeasurementSpec
		want bool
	}{
		"an ordinary phase":       {v1alpha1.MeasurementSpec{}, true},
		"a search":                {v1alpha1.MeasurementSpec{Capacity: &v1alpha1.CapacitySpec{}}, true},
		"servers that take turns": {v1alpha1.MeasurementSpec{Interleave: &v1alpha1.Interleave{}}, false},
		"rest":                    {v1alpha1.MeasurementSpec{Idle: true}, false},
		"a kill":                  {v1alpha1.MeasurementSpec{Recovery: &v1alpha1.RecoverySpec{}}, false},
		"a profile":               {v1alpha1.MeasurementSpec{Profile: &v1alpha1.ProfileOrder{}}, false},
		"a fault":                 {v1alpha1.MeasurementSpec{Faults: []v1alpha1.FaultSpec{{}}}, false},
	} {
		assert.Equal(t, test.want, ReadsIO(test.spec), name)
	}
}
