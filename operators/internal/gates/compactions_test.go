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

func TestImpossible_figuresAreNamed(t *testing.T) {
	e := good()
	e.Impossible = []string{"opRate=NaN", "faults[1].availability=+Inf"}
	assert.Equal(t, []string{"counts: no measurement can have opRate=NaN, faults[1].availability=+Inf"}, judged(t, e).Reasons)
}

func TestQueriesThatFindNothing_areNotFast(t *testing.T) {
	for name, test := range map[string]struct {
		found, empty      int64
		invalid, warnings []v1beta1.Reason
	}{
		"all found something": {1000, 0, nil, nil},
		"some found nothing":  {990, 10, nil, nil},
		"many found nothing":  {900, 100, nil, []v1beta1.Reason{v1beta1.GateLittleFound}},
		"none found anything": {0, 1000, []v1beta1.Reason{v1beta1.GateNothingFound}, nil},
	} {
		e := good()
		e.Result.Outcomes = []v1beta1.Outcome{{Name: "by-author", Count: test.found}, {Name: "by-author-empty", Count: test.empty}, {Name: "insert", Count: 7}, {Name: "miss", Count: 9}}
		verdict := Judge(e)
		assert.Equal(t, test.invalid, verdict.Invalid.Reasons(), name)
		assert.Equal(t, test.warnings, verdict.Warnings.Reasons(), name)
		messages(t, verdict.Invalid)
		messages(t, verdict.Warnings)
	}
}

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

func TestHoldsWhatIsLeftAfterAKillAgainstWhatWasPromised(t *testing.T) {
	whole := &v1beta1.Recovery{FirstMicros: 1, AllMicros: 2, Sent: 10, Acknowledged: 10, Kept: 10}
	lossy := &v1beta1.Recovery{FirstMicros: 1, AllMicros: 2, Sent: 10, Acknowledged: 10, Kept: 5, Lost: 3, Refused: 2}
	wrong := &v1beta1.Recovery{FirstMicros: 1, AllMicros: 2, Sent: 10, Acknowledged: 10, Kept: 9, Wrong: 1}
	for name, test := range map[string]struct {
		found             *v1beta1.Recovery
		promises          []string
		reasons, warnings []string
	}{
		"all kept, as promised":       {whole, []string{"true", "true"}, nil, nil},
		"all kept, beyond a promise":  {whole, []string{"false"}, nil, nil},
		"lost, as was said":           {lossy, []string{"false"}, nil, []string{"recovery: 3 of 10 acknowledged operations are lost: as its proof states, this server keeps nothing when it is killed"}},
		"lost, against the promise":   {lossy, []string{"true"}, []string{"recovery: 3 of 10 acknowledged operations are lost, but the store promised to keep them"}, nil},
		"no word of a promise":        {whole, []string{""}, []string{"recovery: the store's proof does not state whether data survives a kill (survives_kill)"}, nil},
		"pods that promise otherwise": {lossy, []string{"true", "false"}, []string{"recovery: the store's proof does not state whether data survives a kill (survives_kill)"}, nil},
		"otherwise than sent":         {wrong, []string{"false"}, []string{"recovery: 1 acknowledged operations differ from what was sent"}, nil},
		"nothing told":                {nil, []string{"true"}, []string{"recovery: the load did not report the recovery of the killed store"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := Evidence{Spec: v1beta1.MeasurementSpec{Recovery: &v1beta1.RecoverySpec{}, TargetRate: 100}, Result: v1beta1.Result{Recovery: test.found, OpRate: "50.0"}}
			for _, promise := range test.promises {
				e.Proofs = append(e.Proofs, v1beta1.Proof{Environment: map[string]string{"survives_kill": promise}})
			}
			assert.Equal(t, test.reasons, messages(t, recovery(e)))
			assert.Equal(t, test.warnings, messages(t, lostAsPromised(e)))
			assert.Empty(t, targetRate(e), "nobody answers while the store is dead")
			e.Spec.Recovery = nil
			assert.Empty(t, recovery(e))
			assert.Empty(t, lostAsPromised(e))
			assert.NotEmpty(t, targetRate(e))
		})
	}
}
