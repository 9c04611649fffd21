package compare

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

// windowed gives each row of a run a measurement with windows of one second.
func windowed(run *archive.Run, operations func(server string, round int) []int64) {
	run.Measurements = map[string]*v1beta1.Measurement{}
	for i := range run.Rows {
		row := &run.Rows[i]
		row.Measurement = fmt.Sprintf("%s-%d", row.Server, row.Round)
		counts, sum := operations(row.Server, row.Round), int64(0)
		intervals := &v1beta1.Intervals{LengthMillis: 1000, Operations: counts}
		for _, n := range counts {
			intervals.WindowMicros = append(intervals.WindowMicros, 1_000_000)
			sum += n
		}
		row.OpRate = results.Some(float64(sum) / float64(len(counts)))
		run.Measurements[row.Measurement] = &v1beta1.Measurement{Status: v1beta1.MeasurementStatus{Result: &v1beta1.Result{Intervals: intervals}}}
	}
}

// Three rounds of four windows each: six pieces of two windows, with ratios computed by hand.
func TestRoundsOfWindowsCountAsTheirPieces(t *testing.T) {
	run := runOf(rates("hsha", "hsha", 1, 1, 1), rates("x", "x", 1, 1, 1))
	windowed(run, func(server string, round int) []int64 {
		if server == "hsha" {
			return []int64{100, 100, 200, 200}
		}
		return []int64{110 + int64(round), 110, 230, 230 - 2*int64(round)}
	})
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	c := opRateOf(t, result, "x")
	assert.Equal(t, 3, c.Rounds, "what people see stays rounds")
	require.Len(t, c.logs[0], 6)
	assert.InDelta(t, math.Log(221.0/200), c.logs[0][0], 1e-12)
	assert.InDelta(t, math.Log(458.0/400), c.logs[0][1], 1e-12)

	samples, err := Samples(run)
	require.NoError(t, err)
	assert.Equal(t, 3, samples[0].Rounds, "a run may stop after so many rounds, not pieces")
}

func TestRoundsWithoutTheSameBlocksCountOnce(t *testing.T) {
	run := runOf(rates("hsha", "hsha", 1, 1, 1, 1), rates("x", "x", 1, 1, 1, 1))
	windowed(run, func(server string, round int) []int64 {
		if server == "x" && round == 2 {
			return []int64{100, 120, 110} // one window was lost
		}
		return []int64{100, 110, 120, 130 + int64(round)*int64(len(server))}
	})
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	assert.Len(t, opRateOf(t, result, "x").logs[0], 2+1+2+2)

	few := runOf(rates("hsha", "hsha", 1, 1), rates("x", "x", 1, 1))
	windowed(few, func(string, int) []int64 { return []int64{100, 110, 120, 130} })
	result, err = Within(few, to("hsha"))
	require.NoError(t, err)
	c := opRateOf(t, result, "x")
	assert.False(t, c.Known(), "pieces of two rounds know nothing of rounds")
	assert.Contains(t, c.Reason, "2 rounds: the spread between rounds cannot be known")
}

// The least number of rounds applies to each installation: pieces of two rounds do not show how that installation's rounds vary.
func TestPiecesOfAnInstallationWithTooFewRoundsCountOnce(t *testing.T) {
	run := runOf(rates("hsha", "hsha", 1, 1, 1, 1), rates("x", "x", 1, 1, 1, 1))
	for i := range run.Rows {
		run.Rows[i].Installation = (run.Rows[i].Round + 1) / 2
	}
	windowed(run, func(server string, round int) []int64 {
		return []int64{100, 110 + int64(round)*int64(len(server)), 120, 130}
	})
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	c := opRateOf(t, result, "x")
	require.Len(t, c.logs, 2)
	assert.Equal(t, []int{2, 2}, []int{len(c.logs[0]), len(c.logs[1])})
	assert.False(t, c.Known(), "two rounds of an installation")
}

// Rounds with an effect of their own count once each, independent of their windows: pieces would make the interval too narrow.
func TestRoundsThatDifferMoreThanTheirPiecesCountOnce(t *testing.T) {
	run := runOf(rates("hsha", "hsha", 1, 1, 1), rates("x", "x", 1, 1, 1))
	windowed(run, func(server string, round int) []int64 {
		if server == "hsha" {
			return []int64{1000, 1000, 1000, 1000}
		}
		return []int64{1000 + 100*int64(round), 1000 + 100*int64(round), 1001 + 100*int64(round), 1001 + 100*int64(round)}
	})
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	require.Len(t, opRateOf(t, result, "x").logs[0], 3)
}

func TestWindowsTellWhatAnOperationCostsInEachPiece(t *testing.T) {
	intervals := &v1beta1.Intervals{Operations: []int64{10, 10, 20, 20}, WindowMicros: []int64{5, 5, 5, 5},
		StoreCounters: map[string][]int64{"cpu_ns": {100, 300, 400, 400}, "cpu_server_ns": {1, 2, 3}}}
	costs := windowsIn(intervals, results.CPUPerOperation)
	require.NotNil(t, costs)
	assert.InDelta(t, 20, costs.figure(0, 2), 1e-12)
	assert.InDelta(t, 20, costs.figure(1, 2), 1e-12)
	assert.InDelta(t, 2, windowsIn(intervals, opRate).figure(0, 2), 1e-12)
	assert.Nil(t, windowsIn(intervals, results.CPUOfServer), "not of every window")
	assert.Nil(t, windowsIn(intervals, results.Switches), "not counted")
	assert.Nil(t, windowsIn(intervals, "latency_p95_ms"), "percentiles have no pieces")
}
