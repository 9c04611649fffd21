package gates

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestCompactionsThatAnEarlierPhaseLeftBehindAreReported(t *testing.T) {
	const message = "pending compactions: 3 compactions were pending in the store when the phase began; set a longer awaitCompactions in the phase before"
	const unknown = "pending compactions: the store did not report them when the phase began; read its log, or do not enforce the gate"
	for name, test := range map[string]struct {
		pending *int64
		mode    v1beta1.GateMode
		warmup  bool
		want    told
		knew    bool
	}{
		"a store that does not report them":                       {nil, "", false, told{}, false},
		"a store that had to report them":                         {nil, v1beta1.GateEnforce, false, told{Reasons: []string{unknown}}, false},
		"a phase without verdict has none to tell":                {nil, v1beta1.GateEnforce, true, told{}, false},
		"a busy store that reported them before an earlier phase": {nil, "", false, told{Warnings: []string{unknown}}, true},
		"none":                            {new(int64(0)), v1beta1.GateEnforce, false, told{}, false},
		"some, by default":                {new(int64(3)), "", false, told{Warnings: []string{message}}, false},
		"some, enforced":                  {new(int64(3)), v1beta1.GateEnforce, false, told{Reasons: []string{message}}, false},
		"some that are measured":          {new(int64(3)), v1beta1.GateOff, false, told{}, false},
		"some in a phase without verdict": {new(int64(3)), v1beta1.GateEnforce, true, told{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			evidence := good()
			evidence.Result.PendingCompactions, evidence.Gates.PendingCompactions, evidence.Spec.Warmup = test.pending, test.mode, test.warmup
			evidence.KnewCompactions = test.knew
			assert.Equal(t, test.want, judged(t, evidence))
		})
	}
}

func TestCompactionsLeft_areNamedWhereBytesAreMeasured(t *testing.T) {
	io := &v1beta1.StoreIO{WrittenBytes: new(int64(1))}
	for name, test := range map[string]struct {
		io            *v1beta1.StoreIO
		before, after *int64
		mode          v1beta1.GateMode
		want          Findings
	}{
		"none left":                {io, new(int64(0)), new(int64(0)), "", nil},
		"some left":                {io, new(int64(0)), new(int64(2)), v1beta1.GateEnforce, Findings{{Reason: v1beta1.GateCompactionsLeft}}},
		"no longer known":          {io, new(int64(0)), nil, "", Findings{{Reason: v1beta1.GateCompactionsLeft}}},
		"never known":              {io, nil, nil, "", nil},
		"some, but no bytes":       {nil, new(int64(0)), new(int64(2)), "", nil},
		"some that nobody asks of": {io, new(int64(0)), new(int64(2)), v1beta1.GateOff, nil},
	} {
		evidence := good()
		evidence.Result.StoreIO, evidence.Result.PendingCompactions, evidence.Result.PendingCompactionsAfter = test.io, test.before, test.after
		evidence.Gates.PendingCompactions = test.mode
		assert.Equal(t, test.want.Reasons(), Judge(evidence).Warnings.Reasons(), name)
		assert.True(t, Judge(evidence).Valid(), name)
	}
}
