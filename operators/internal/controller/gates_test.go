package controller_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// spoilt lists possible problems of a load and what the gates report of them, from the delivered parts to the marked
// measurement. The gates for a wrong variant, missing nodes and a restarted store have their own tests because they
// need more setup.
var spoilt = []struct {
	name  string
	spoil func(*v1beta1.Part) (late time.Duration)
	says  []string
	// always reports whether the gate applies in every mode.
	always bool
}{
	{name: "nothing"},
	{name: "a saturated load", says: []string{"load CPU: load pod 0 used 96.0% of its available CPU"},
		spoil: func(p *v1beta1.Part) time.Duration { p.CPUUsedPermille = new(int64(960)); return 0 }},
	{name: "a load that waits", says: []string{"load wait: load pod 0 waited for a core 50.0% of the time in which it was runnable"},
		spoil: func(p *v1beta1.Part) time.Duration { p.CPUWaitedPermille = new(int64(500)); return 0 }},
	{name: "a load that is throttled", says: []string{"throttling: its CPU limit throttled load pod 0 for 5s"},
		spoil: func(p *v1beta1.Part) time.Duration { p.ThrottledMillis = 5000; return 0 }},
	{name: "a load of unknown CPU", says: []string{"load CPU: the CPU use of load pod 0", "load wait: the time that load pod 0 waited", "throttling: the time that its CPU limit throttled load pod 0"},
		spoil: func(p *v1beta1.Part) time.Duration { p.CPUUsedPermille, p.CPUWaitedPermille = nil, nil; return 0 }},
	{name: "a load beside the store", says: []string{"colocation: load pod 0 ran on the store's node node1"},
		spoil: func(p *v1beta1.Part) time.Duration { p.Node = "node1"; return 0 }},
	{name: "load pods that began apart", says: []string{"start skew: load pods began 3s apart"},
		spoil: func(*v1beta1.Part) time.Duration { return 3 * time.Second }},
	{name: "failed operations", says: []string{"errors: 50 operations failed"},
		spoil: func(p *v1beta1.Part) time.Duration { p.Operations, p.Errors = p.Operations-50, 50; return 0 }},
	{name: "lost operations", says: []string{"counts: 950 operations were answered and 0 failed, of 1000 ordered"}, always: true,
		spoil: func(p *v1beta1.Part) time.Duration { p.Operations -= 50; return 0 }},
}

// missedRate is the message of the gate for a phase with a target of 1000 operations per second that takes 10 s for
// 1000.
const missedRate = "target rate: 100.0 operations/s were answered, 10.0% of the target 1000"

func TestEveryGateIsHeldAgainstWhatTheLoadDelivers(t *testing.T) {
	t.Parallel()
	for _, mode := range []v1beta1.GateMode{v1beta1.GateEnforce, v1beta1.GateWarn} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			h := newHarness(t)
			h.world.spoil = func(m *v1beta1.Measurement, part *v1beta1.Part) time.Duration {
				if spoil := spoilt[m.Spec.Round-1].spoil; spoil != nil && part.Index == 0 && m.Spec.Phase == "write" {
					return spoil(part)
				}
				return 0
			}
			experiment := h.create(func(e *v1beta1.Experiment) {
				e.Spec.Store.Hosting = v1beta1.HostingShared
				e.Spec.Rounds, e.Spec.Load.Pods = int32(len(spoilt)), 2
				e.Spec.Phases[1].TargetRate = 1000
				e.Spec.Gates = v1beta1.Gates{Errors: mode, LoadCPU: mode, LoadWait: mode, TargetRate: mode, Throttling: mode, Colocation: mode, StartSkew: mode}
			})
			done := h.run(experiment)
			require.True(t, meta.IsStatusConditionTrue(done.Status.Conditions, v1beta1.ConditionComplete), h.describe(experiment))
			for _, m := range h.measurements() {
				spoilt := spoilt[m.Spec.Round-1]
				says, always := spoilt.says, spoilt.always
				if m.Spec.Phase == "read" {
					says, always = []string{missedRate}, false
				}
				requireSaid(t, spoilt.name+" in phase "+m.Spec.Phase, m, mode, says, always)
			}
		})
	}
}

// requireSaid compares a measurement's reasons, warnings and validity with the expected ones of a gate in the mode.
func requireSaid(t *testing.T, of string, m v1beta1.Measurement, mode v1beta1.GateMode, says []string, always bool) {
	t.Helper()
	var reasons, warnings []string
	switch {
	case always || mode == v1beta1.GateEnforce:
		reasons = says
	case mode == v1beta1.GateWarn:
		warnings = says
	}
	requireBegin(t, of+": reasons", reasons, m.Status.InvalidReasons)
	requireBegin(t, of+": warnings", warnings, m.Status.Warnings)
	assert.Equal(t, len(reasons) == 0, m.Status.Valid, of)
	assert.Equal(t, len(reasons) == 0, meta.IsStatusConditionTrue(m.Status.Conditions, v1beta1.ConditionValid), of)
	require.NotNil(t, m.Status.Result, "%s: the figures are kept, marked", of)
}

func requireBegin(t *testing.T, of string, beginnings, lines []string) {
	t.Helper()
	require.Len(t, lines, len(beginnings), "%s: %q", of, lines)
	for i, line := range lines {
		assert.Contains(t, line, beginnings[i], of)
	}
}
