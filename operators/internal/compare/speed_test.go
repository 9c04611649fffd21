package compare

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
)

// costs returns the CPU times of a server's own threads at a constant rate, in rounds with the given slowness of the machine: some 500 µs
// that scale with the slowness, slight noise, and a fixed part that does not scale.
func costs(server string, rate int, fixed float64, slowness []float64, noise int) []results.Row {
	rows := rates(server, server, make([]float64, len(slowness))...)
	for i := range rows {
		rows[i].TargetRate = rate
		rows[i].OpRate = results.Some(400.0)
		micros := fixed + 500*slowness[i]*(1+0.004*float64((i*noise)%7-3))
		rows[i].CPU.Server = results.Some(time.Duration(micros * 1000))
		rows[i].CPU.PerOp = results.Some(time.Duration(5 * micros * 1000))
	}
	return rows
}

func TestWhatAnOperationTakesAtARateIsAdjustedForTheMachinesSpeed(t *testing.T) {
	slowness := []float64{1, 1.3, 0.8, 1.1, 0.7, 1.2, 0.9, 1.4, 1, 0.8, 1.3, 0.75}
	servers := func(rate int, names ...string) *Result {
		run := runOf(costs("hsha", rate, 0, slowness, 2))
		for i, name := range names {
			fixed := 0.0
			if name == "spins" {
				fixed = 1500
			}
			run.Rows = append(run.Rows, costs(name, rate, fixed, slowness, i+3)...)
		}
		result, err := Within(run, to("hsha"))
		require.NoError(t, err)
		return result
	}
	adjusted := servers(500, "spins", "a", "b", "c")
	c := by(t, adjusted, "spins", results.CPUOfServer)
	assert.Equal(t, MachineSpeed, c.AdjustedFor)
	assert.Less(t, c.HalfWidth(), 0.04)
	assert.InDelta(t, c.MDE, c.Least, 0, "the minimum detectable effect is the adjusted interval's")
	assert.Contains(t, strings.Join(adjusted.Notes, "\n"), "adjusted for the machine's speed")
	deciding := by(t, adjusted, "spins", results.CPUPerOperation)
	assert.True(t, deciding.Primary)
	assert.Equal(t, MachineSpeed, deciding.AdjustedFor)
	assert.Less(t, deciding.HalfWidth(), 0.06, "corrected for four servers")
	assert.Equal(t, ratio.Slower, deciding.Verdict)

	for name, result := range map[string]*Result{
		"too few others":             servers(500, "spins", "a", "b"),
		"as much as can be answered": servers(0, "spins", "a", "b", "c"),
	} {
		t.Run(name, func(t *testing.T) {
			plain := by(t, result, "spins", results.CPUOfServer)
			assert.Empty(t, plain.AdjustedFor)
			assert.InDelta(t, c.Ratio, plain.Ratio, 1e-9, "the ratio is the same")
			assert.Greater(t, plain.HalfWidth(), 0.08)
			assert.NotContains(t, strings.Join(result.Notes, "\n"), "adjusted")
		})
	}
}

func TestAnAdjustedIntervalOfTheSameServerThatExcludesOneIsToldOf(t *testing.T) {
	slowness := []float64{1, 1.3, 0.8, 1.1, 0.7, 1.2, 0.9, 1.4, 1, 0.8, 1.3, 0.75}
	run := runOf(costs("hsha", 500, 0, slowness, 2), costs("a", 500, 0, slowness, 3), costs("b", 500, 0, slowness, 4), costs("c", 500, 0, slowness, 5))
	again := costs("hsha-again", 500, 60, slowness, 6)
	for i := range again {
		again[i].ServerType = "hsha"
	}
	run.Rows = append(run.Rows, again...)
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	c := by(t, result, "hsha-again", results.CPUOfServer)
	require.True(t, c.AA)
	assert.Equal(t, MachineSpeed, c.AdjustedFor)
	assert.Equal(t, "the A/A arm, the same server under two names, seems to differ: there is noise that the interval does not cover", c.Reason)
}

func TestSpeedIsToldByServersThatHaveAllRounds(t *testing.T) {
	replicates := []replicate{{1, 1}, {1, 2}}
	all, lacking := map[replicate]float64{{1, 1}: 1, {1, 2}: math.E}, map[replicate]float64{{1, 1}: 5}
	assert.Nil(t, speedOf(replicates, []map[replicate]float64{all, all, lacking}))
	assert.InDeltaSlice(t, []float64{0, 1}, speedOf(replicates, []map[replicate]float64{all, lacking, all, all}), 1e-12)
}
