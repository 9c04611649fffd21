package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/results"
)

// In a duet the baseline runs next to each other server, so slow moments of one pair do not affect another.
func TestServersOfADuetAreComparedWithTheBaselineThatWasBesideThem(t *testing.T) {
	beside := func(peer string, rows []results.Row) []results.Row {
		for i := range rows {
			rows[i].Peer = peer
		}
		return rows
	}
	run := runOf(
		beside("quick", rates("hsha", "hsha", 1000, 1100, 1200, 1300)), beside("hsha", rates("quick", "quick", 2000, 2200, 2400, 2600)),
		beside("slow", rates("hsha", "hsha", 500, 600, 700, 800)), beside("hsha", rates("slow", "slow", 250, 300, 350, 400)),
	)
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	assert.InDelta(t, 2, opRateOf(t, result, "quick").Ratio, 1e-9)
	assert.InDelta(t, 0.5, opRateOf(t, result, "slow").Ratio, 1e-9)
	assert.Equal(t, 4, opRateOf(t, result, "slow").Rounds)
	assert.Equal(t, 0, opRateOf(t, result, "slow").Dropouts.Server)
}
