package gates

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

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
