package windows

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// make simulate runs 2,000 experiments of each kind; daily tests fewer.
var count = flag.Int("experiments", 200, "simulated experiments of each kind")

// The ratio is one of sums in every way. By hand: 300 operations in 3 s compared with 500 in 4 s.
func TestTheRatioIsThatOfAllOperationsOverAllTime(t *testing.T) {
	at := time.Unix(0, 0)
	window := func(arm string, seconds, operations float64) Window {
		at = at.Add(10 * time.Second)
		return Window{Arm: arm, Start: at, Seconds: seconds, Operations: operations}
	}
	load := Load{Pairs: []Pair{{"x", "x", "hsha"}}, Rounds: [][]Window{
		{window("x", 1, 80), window("hsha", 2, 230), window("hsha", 1, 140), window("x", 1, 105)},
		{window("hsha", 1, 130), window("x", 1, 115)},
	}}
	for _, unit := range []Unit{ByBlocks} {
		interval, ok := Estimate(load, Metrics()[0], Way{unit, None}, load.Pairs[0])
		require.True(t, ok)
		assert.InDelta(t, math.Log((300.0/3)/(500.0/4)), interval.Center, 1e-12)
	}
	_, known := Estimate(load, Metrics()[1], Way{ByRounds, None}, load.Pairs[0])
	assert.False(t, known, "no window has counters")
	_, known = Estimate(load, Metrics()[0], Way{ByRounds, Counters}, load.Pairs[0])
	assert.False(t, known)
}

func TestIntervalsHoldTheTruth(t *testing.T) {
	for _, m := range machines() {
		for _, shape := range []struct{ arms, rounds, blocks int }{{7, 12, 4}, {3, 15, 10}} {
			for _, way := range Ways() {
				r := m.reckon(way, *count, shape.arms, shape.rounds, shape.blocks)
				if r.known == 0 {
					continue
				}
				t.Logf("%-40s %d arms, %d rounds of %d: by %s, %-20s covered %.3f, half-width %.4f", m.name, shape.arms, shape.rounds, shape.blocks, way.Unit, way.Covariates, r.covered, r.halfWidth)
				slack := 3 * math.Sqrt(0.95*0.05/float64(r.known))
				assert.InDelta(t, 0.95, r.covered, 0.02+slack, "%s, %v", m.name, way)
			}
		}
	}
}

func TestWhatTheStoreCountsIsFoundAsASource(t *testing.T) {
	load := machines()[3].simulate(rand.New(rand.NewPCG(1, 2)), []float64{1, 1, 0.5}, 12, 10)
	noise, ok := NoiseOf(load, Metrics()[0])
	require.True(t, ok)
	require.Len(t, noise.Sources, 1, "what stood still explains nothing")
	assert.Equal(t, "gc_pause_ms", noise.Sources[0].Name)
	assert.Less(t, noise.Sources[0].Correlation, -0.7)
	assert.InDelta(t, 0, noise.Resemblance[0], 0.2)

	load = machines()[1].simulate(rand.New(rand.NewPCG(1, 2)), []float64{1, 1, 0.5}, 12, 10)
	noise, ok = NoiseOf(load, Metrics()[0])
	require.True(t, ok)
	assert.Greater(t, noise.Resemblance[0], 0.3)
	assert.Empty(t, noise.Sources)
}

func TestRanksShareAPlaceWhereValuesAreEqual(t *testing.T) {
	assert.Equal(t, []float64{3, 0.5, 2, 0.5}, ranked([]float64{9, 1, 4, 1}))
}

func TestARoundWithoutCountersIsLeftOutOfCPUTime(t *testing.T) {
	load := machines()[0].simulate(rand.New(rand.NewPCG(1, 2)), []float64{1, 1, 1}, 6, 8)
	for i := range load.Rounds[1:] {
		for j := range load.Rounds[i+1] {
			load.Rounds[i+1][j].Counters = map[string]float64{"cpu_ns": 1e6 * load.Rounds[i+1][j].Operations}
		}
	}
	for _, way := range Ways() {
		interval, known := Estimate(load, Metrics()[1], way, load.Pairs[0])
		if known {
			assert.InDelta(t, 0, interval.Center, 1e-9, "%v", way)
		}
	}
}

func TestAWindowInWhichNothingWasAnsweredCounts(t *testing.T) {
	window := func(arm string, operations float64) Window {
		return Window{Arm: arm, Seconds: 1, Operations: operations}
	}
	load := Load{Pairs: []Pair{{"x", "x", "hsha"}}, Rounds: [][]Window{
		{window("x", 100), window("hsha", 100)}, {window("hsha", 100), window("x", 0)}, {window("x", 100), window("hsha", 100)},
	}}
	s, known := seriesOf(load, Metrics()[0])
	require.True(t, known)
	assert.InDelta(t, 200.0/3, s.rates["x"], 1e-9)
}

func TestRestIsNoLoad(t *testing.T) {
	row := results.Row{Measurement: "m", Server: "hsha", Operation: "idle", Valid: true}
	run := &archive.Run{Logs: map[string]*measure.Log{"m": {Windowed: true}}}
	for idle, loads := range map[bool]int{false: 1, true: 0} {
		if idle {
			row.CPU.Idle = results.Some(0.1)
		}
		run.Rows = []results.Row{row}
		row.CPU.Idle = results.Optional[float64]{}
		found, notes := Loads(run)
		assert.Len(t, found, loads)
		assert.Empty(t, notes)
	}
}
