package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestShowsWhatTheDeathOfAStoreCost(t *testing.T) {
	folder := dedicated(t, func(_ int, m *v1beta1.Measurement) {
		if m.Spec.Operation == "write" {
			m.Status.Result.Recovery = &v1beta1.Recovery{FirstMicros: 2_000_000, AllMicros: 2_500_000, Sent: 1000, Acknowledged: 990, Kept: 600, Lost: 300, Refused: 90}
		}
	})
	text, page := render(t, folder)
	require.NotEmpty(t, page.Recoveries)
	shown := tableOf(t, text, "recoveries")
	require.Len(t, shown, len(page.Recoveries)+1)
	for i, row := range page.Recoveries {
		assert.Equal(t, "2.500", row.AllSeconds)
		assert.Equal(t, "write", row.Load)
		cells := shown[i+1]
		assert.Equal(t, row.Server, cells[0])
		assert.Contains(t, cells[2], "2.0", "seconds until it was back")
		assert.Equal(t, []string{row.Sent, row.Acknowledged, row.Kept, row.Lost, row.Refused}, cells[4:9])
		assert.NotEqual(t, "0", row.Lost)
	}
	plain, page := render(t, dedicated(t, nil))
	assert.Empty(t, page.Recoveries)
	assert.NotContains(t, plain, "Killed under load")
}
