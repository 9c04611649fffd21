package results

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestTellsWhatAKillOfTheStoreCost(t *testing.T) {
	m := measured()
	m.Status.Result.Recovery = &v1beta1.Recovery{FirstMicros: 2_100_400, AllMicros: 2_250_000, Sent: 1000, Acknowledged: 990, Kept: 600, Lost: 300, Refused: 90}
	row := FromMeasurement(m)
	told := map[string]string{}
	for _, name := range []string{"recovery_s", "recovery_all_s", "recovery_sent", "recovery_acknowledged", "recovery_kept", "recovery_lost", "recovery_refused"} {
		told[name] = MustColumn(name).Encode(&row)
	}
	assert.Equal(t, map[string]string{"recovery_s": "2.100", "recovery_all_s": "2.250", "recovery_sent": "1000", "recovery_acknowledged": "990",
		"recovery_kept": "600", "recovery_lost": "300", "recovery_refused": "90"}, told)
	plain := FromMeasurement(measured())
	assert.Empty(t, MustColumn("recovery_lost").Encode(&plain), "0 would be a word of a store that was not killed")
}
