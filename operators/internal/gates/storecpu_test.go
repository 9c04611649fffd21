package gates

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestStoreCPU_isNamedWhereTooFewWindowsAreKnown(t *testing.T) {
	for _, test := range []struct {
		cpu  *v1beta1.StoreCPU
		idle bool
		want []v1beta1.Reason
	}{
		{nil, false, nil},
		{&v1beta1.StoreCPU{Windows: 120}, false, nil},
		{&v1beta1.StoreCPU{Windows: 108, UnknownWindows: 12}, false, nil},
		{&v1beta1.StoreCPU{Windows: 8, UnknownWindows: 112}, false, []v1beta1.Reason{v1beta1.GateStoreCPUUnknown}},
		{&v1beta1.StoreCPU{Windows: 1, UnknownWindows: 1}, true, nil},
	} {
		e := Evidence{Spec: v1beta1.MeasurementSpec{Idle: test.idle}, Result: v1beta1.Result{StoreCPU: test.cpu}}
		assert.Equal(t, test.want, storeCPU(e).Reasons())
		messages(t, storeCPU(e))
	}
}
