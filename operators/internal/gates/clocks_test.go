package gates

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestClocks_areComparedInPhasesWithFaults(t *testing.T) {
	type reading struct{ offset, wrong *int64 }
	ms := func(n int64) *int64 { return new(n * 1000) }
	good, ahead, vague, none := reading{ms(-80), ms(5)}, reading{ms(2000), ms(10)}, reading{ms(0), ms(500)}, reading{}
	differ, unknown := []v1beta1.Reason{v1beta1.GateClocksDiffer}, []v1beta1.Reason{v1beta1.GateClockUnknown}
	for name, test := range map[string]struct {
		load, store reading
		want        []v1beta1.Reason
	}{
		"all agree":                     {good, good, nil},
		"a node is two seconds ahead":   {good, ahead, differ},
		"the load's node is":            {ahead, good, differ},
		"a node that cannot ask":        {good, none, unknown},
		"a load that could not ask":     {none, good, unknown},
		"an estimate of half a second":  {good, vague, unknown},
		"one differs, one is not known": {ahead, none, append(differ, unknown...)},
	} {
		e := Evidence{Spec: v1beta1.MeasurementSpec{Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultCut}}}, Parts: []v1beta1.Part{{ClockOffsetMicros: test.load.offset, ClockErrorMicros: test.load.wrong}}}
		assert.Empty(t, clocks(e), "%s, without faults", name)
		e.Faults = []v1beta1.FaultStatus{{ClockOffsetMicros: test.store.offset, ClockErrorMicros: test.store.wrong}}
		assert.Equal(t, test.want, clocks(e).Reasons(), name)
		messages(t, clocks(e))
	}
}
