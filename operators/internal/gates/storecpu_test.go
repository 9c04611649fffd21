package gates

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

func TestStoreCPU_isNamedWhereTooFewWindowsAreKnown(t *testing.T) {
	for _, test := range []struct {
		cpu  *v1alpha1.StoreCPU
		idle bool
		want []v1alpha1.Reason
	}{
		{nil, false, nil},
		{&v1alpha1.StoreCPU{Windows: 120}, false, nil},
		{&v1alpha1.StoreCPU{Windows: 108, UnknownWindows: 12}, false, nil},
		{&v1alpha1.StoreCPU{Windows: 8, UnknownWindows: 112}, false, []v1alpha1.Reason{v1alpha1.GateStoreCPUUnknown}},
		{&v1alpha1.StoreCPU{Windows: 1, UnknownWindows: 1}, true, nil},
	} {
		e := Evidence{Spec: v1alpha1.MeasurementSpec{Idle: test.idle}, Result: v1alpha1.Result{StoreCPU: test.cpu}}
		assert.Equal(t, test.want, storeCPU(e).Reasons())
		messages(t, storeCPU(e))
	}
}
