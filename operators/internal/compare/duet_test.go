package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// beside sets the server that was under load at the same time.
func beside(peer string, rows []results.Row) []results.Row {
	for i := range rows {
		rows[i].Peer = peer
	}
	return rows
}

// In a duet the baseline runs next to each other server, so slow moments of one pair do not affect another.
func TestServersOfADuetAreComparedWithTheBaselineThatWasBesideThem(t *testing.T) {
	run := runOf(
		beside("quick", rates("hsha", "hsha", 1000, 1100, 1200, 1300)), beside("hsha", rates("quick", "quick", 2000, 2200, 2400, 2600)),
		beside("slow", rates("hsha", "hsha", 500, 600, 700, 800)), beside("hsha", rates("slow", "slow", 250, 300, 350, 400)),
	)
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	assert.InDelta(t, 2, opRateOf(t, result, "quick").Ratio, 1e-9)
	assert.InDelta(t, 0.5, opRateOf(t, result, "slow").Ratio, 1e-9)
	assert.Equal(t, 4, opRateOf(t, result, "slow").Rounds)
	assert.Equal(t, 0, opRateOf(t, result, "slow").Lost[1].Rounds)
	assert.True(t, opRateOf(t, result, "slow").Duet)
}

// Where each server has pods of its own, the sides of a duet have their own costs.
func TestServersOfADuetAreComparedByTheirCostNextToEachOther(t *testing.T) {
	run := runOf(
		beside("thrifty", costing(rates("hsha", "hsha", 500, 500, 500, 500), 600, 640, 610, 620)),
		beside("hsha", costing(rates("thrifty", "x", 500, 500, 500, 500), 540, 577, 549, 559)),
		beside("greedy", costing(rates("hsha", "hsha", 500, 500, 500, 500), 300, 320, 305, 310)),
		beside("hsha", costing(rates("greedy", "y", 500, 500, 500, 500), 345, 368, 351, 356)),
	)
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	assert.InDelta(t, 0.9, by(t, result, "thrifty", cpuPerOperation).Ratio, 0.005)
	assert.InDelta(t, 1.15, by(t, result, "greedy", cpuPerOperation).Ratio, 0.005)
}

func TestDuetsAreNotComparedBetweenRuns(t *testing.T) {
	run := func() *archive.Run {
		return runOf(beside("quick", rates("hsha", "hsha", 1000, 1100)), beside("hsha", rates("quick", "quick", 2000, 2200)))
	}
	_, err := Runs(run(), run(), Defaults())
	assert.ErrorContains(t, err, "in a duet, the figures of a server depend on the other of its pair; compare the servers of each run alone")
}
