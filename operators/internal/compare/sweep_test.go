package compare

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/textfmt"
)

func threads(count int, rows []results.Row) []results.Row {
	for i := range rows {
		rows[i].Threads = count
	}
	return rows
}

func text(t *testing.T, table *textfmt.Table) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, table.Write(&out, "table", false))
	return out.String()
}

func metric(t *testing.T, name string) Metric {
	t.Helper()
	for _, m := range Metrics() {
		if m.Name == name {
			return m
		}
	}
	require.Fail(t, "no metric "+name)
	return Metric{}
}

// swept returns hsha and quick at 8, 64 and 1024 threads in three rounds; quick was not measured at 1024.
func swept() *archive.Run {
	return runOf(
		threads(64, rates("hsha", "hsha", 500, 500, 500)), threads(8, rates("hsha", "hsha", 100, 110, 90)), threads(1024, rates("hsha", "hsha", 50, 50, 50)),
		threads(8, rates("quick", "quick", 200, 220, 182)), threads(64, rates("quick", "quick", 500, 510, 490)),
	)
}

// offered returns hsha at three rates, of which it missed the highest twice in three rounds and the middle one once.
func offered() *archive.Run {
	at := func(rate int, reached ...float64) []results.Row {
		rows := rates("hsha", "hsha", reached...)
		for i := range rows {
			rows[i].TargetRate, rows[i].Threads = rate, 8
			rows[i].Valid = rows[i].OpRate.Value >= 0.99*float64(rate)
		}
		return rows
	}
	return runOf(at(400, 397, 320, 310), at(100, 100, 100, 100), at(200, 200, 199, 150))
}

func TestASweepOverRatesTellsWhatWasMissed(t *testing.T) {
	run := offered()
	sweeps := Sweeps(Cells(run))
	require.Len(t, sweeps, 1)
	assert.Equal(t, "read, by offered rate", sweeps[0].Name(sweeps))
	assert.Equal(t, ""+
		"OFFERED RATE    hsha\n"+
		"         100   100.0\n"+
		"         200   199.5\n"+ // without the round that missed the rate
		"         400  missed\n", text(t, sweeps[0].Table(run, metric(t, "op_rate"))))
	point := Offer(run, "hsha", sweeps[0].Cells[1])
	assert.Len(t, point.Kept, 2)
	assert.Len(t, point.Missed, 1)
	assert.True(t, point.Reached())
	assert.False(t, Offer(run, "hsha", sweeps[0].Cells[2]).Reached(), "one of three was luck")
}

func TestALoadThatVariesInTwoWaysIsASweepForEachValueOfTheOther(t *testing.T) {
	var cells []Cell
	for _, threads := range []int{8, 64} {
		for _, rate := range []int{300, 100, 200} {
			cells = append(cells, Cell{Phase: "read", Operation: "read", Threads: threads, TargetRate: rate})
		}
	}
	sweeps := Sweeps(cells)
	require.Len(t, sweeps, 2)
	assert.Equal(t, []string{"read, by offered rate, 8 threads", "read, by offered rate, 64 threads"}, []string{sweeps[0].Name(sweeps), sweeps[1].Name(sweeps)})
	for _, s := range sweeps {
		require.Len(t, s.Cells, 3)
		assert.Equal(t, []int{100, 200, 300}, []int{s.Cells[0].TargetRate, s.Cells[1].TargetRate, s.Cells[2].TargetRate})
	}
}

func TestLaysASweepOutByThreadCountAndServer(t *testing.T) {
	run := swept()
	var cells []Cell
	for _, group := range Groups(run) {
		cells = append(cells, group.Cell)
	}
	sweeps := Sweeps(cells)
	require.Len(t, sweeps, 1)
	assert.Equal(t, "read", sweeps[0].Operation())
	assert.Equal(t, ""+
		"THREADS   hsha  quick\n"+
		"      8   99.3  199.5\n"+ // all operations over all time
		"     64  500.0  499.9\n"+
		"   1024   50.0\n", text(t, sweeps[0].Table(run, metric(t, "op_rate"))))
}

func TestComparesASweepByThreadCount(t *testing.T) {
	result, err := Within(swept(), to("hsha"))
	require.NoError(t, err)
	sweeps := result.Sweeps()
	assert.Empty(t, sweeps, "two thread counts in common are no sweep")
	assert.Len(t, result.Without(sweeps).Comparisons, 2)

	run := swept()
	run.Rows = append(run.Rows, threads(1024, rates("quick", "quick", 25))...)
	result, err = Within(run, to("hsha"))
	require.NoError(t, err)
	sweeps = result.Sweeps()
	require.Len(t, sweeps, 1)
	assert.Equal(t, ""+
		"THREADS             quick\n"+
		"      8      faster 2.007\n"+
		"     64  unresolved 1.000\n"+
		"   1024         not known\n", text(t, result.SweepTable(sweeps[0], metric(t, "op_rate"))), "one of three rounds")
	assert.Empty(t, result.Without(sweeps).Comparisons)
	assert.Equal(t, result.Notes, result.Without(sweeps).Notes)
}

func TestOneLoadAtFewThreadCountsIsNoSweep(t *testing.T) {
	for name, cells := range map[string][]Cell{
		"none":                 nil,
		"two":                  {{Operation: "read", Threads: 1}, {Operation: "read", Threads: 2}},
		"the same again":       {{Operation: "read", Threads: 1}, {Operation: "read", Threads: 2}, {Operation: "read", Threads: 1}},
		"of different rates":   {{Threads: 1, TargetRate: 5}, {Threads: 2, TargetRate: 6}, {Threads: 3, TargetRate: 7}},
		"of different actions": {{Operation: "read", Threads: 1}, {Operation: "read", Threads: 2}, {Operation: "write", Threads: 3}},
	} {
		t.Run(name, func(t *testing.T) { assert.Empty(t, Sweeps(cells)) })
	}
}

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
