package gates

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestCompactionsThatAnEarlierPhaseLeftBehindAreReported(t *testing.T) {
	const message = "pending compactions: 3 compactions were pending in the store when the phase began; set a longer awaitCompactions in the phase before"
	for name, test := range map[string]struct {
		pending *int64
		mode    v1beta1.GateMode
		warmup  bool
		want    told
	}{
		"a store that does not report them":        {nil, "", false, told{}},
		"a store that had to report them":          {nil, v1beta1.GateEnforce, false, told{Reasons: []string{"pending compactions: the store did not report them when the phase began; read its log, or do not enforce the gate"}}},
		"a phase without verdict has none to tell": {nil, v1beta1.GateEnforce, true, told{}},
		"none":                            {new(int64(0)), v1beta1.GateEnforce, false, told{}},
		"some, by default":                {new(int64(3)), "", false, told{Warnings: []string{message}}},
		"some, enforced":                  {new(int64(3)), v1beta1.GateEnforce, false, told{Reasons: []string{message}}},
		"some that are measured":          {new(int64(3)), v1beta1.GateOff, false, told{}},
		"some in a phase without verdict": {new(int64(3)), v1beta1.GateEnforce, true, told{}},
	} {
		t.Run(name, func(t *testing.T) {
			evidence := good()
			evidence.Result.PendingCompactions, evidence.Gates.PendingCompactions, evidence.Spec.Warmup = test.pending, test.mode, test.warmup
			assert.Equal(t, test.want, judged(t, evidence))
		})
	}
}
