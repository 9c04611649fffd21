package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/archive"
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
