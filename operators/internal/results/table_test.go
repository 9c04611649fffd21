package results

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/textfmt"
)

func some(n int64) Optional[int64] { return Some(n) }

func millis(ms float64) Optional[time.Duration] {
	return Some(time.Duration(ms * float64(time.Millisecond)))
}

func print(t *testing.T, table *textfmt.Table, format string, colour bool) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, table.Write(&out, format, colour))
	return out.String()
}

func TestLaysThePublishedRowsBesideOursAndMarksTheInvalid(t *testing.T) {
	rows := []Row{
		{
			Store: "cassandra", Server: "disruptor", ServerType: "disruptor", Operation: "write", Round: 1, Repeat: 1, Ops: some(1000), Errors: some(0), OpRate: Some(3311.3),
			Median: millis(9.101), P95: millis(30.002), P999: millis(91),
			OpRateMid80: Some(3400.0), MedianMid80: millis(8), P95Mid80: millis(20), P999Mid80: millis(80), OperationTime: millis(75500), Valid: true,
		},
		{
			Store: "cassandra", Server: "threadpool", ServerType: "threadpool", Operation: "write", Round: 1, Repeat: 1, Ops: some(999), Errors: some(1), OpRate: Some(3000.0),
			Median: millis(9), P95: millis(30), P999: millis(90), OperationTime: millis(4400), InvalidReasons: []string{"1 operation failed"},
		},
	}
	assert.Equal(t, ""+
		"SERVER                 OPERATION  ROUND  REPEAT   OPS  ERRORS  OP RATE  MEDIAN MS  95TH MS  99.9TH MS  RATE MID80  MEDIAN    95TH  99.9TH  TOTAL TIME  NOTE\n"+
		"disruptor              write          1       1  1000       0   3311.3      9.101   30.002     91.000      3400.0   8.000  20.000  80.000        1:16\n"+
		"  published disruptor  write                  1                                                             19539     1.9     5.4    83.3        2:45\n"+
		"threadpool             write          1       1   999       1   3000.0      9.000   30.000     90.000                                            0:04  INVALID: 1 operation failed\n",
		print(t, Table(rows, textfmt.Units{}), "table", false))
}

func TestShowsEachPublishedFigureOnce(t *testing.T) {
	row := Row{Store: "cassandra", Server: "disruptor", ServerType: "disruptor", Operation: "write", Valid: true}
	again := row
	again.Round = 2
	other := row
	other.Server, other.ServerType = "xedin", "xedin"
	text := print(t, Table([]Row{row, again, other}, textfmt.Units{}), "table", false)
	assert.Equal(t, 1, strings.Count(text, "published"))
	before, _, _ := strings.Cut(text, "published")
	assert.Equal(t, 3, strings.Count(before, "\n"), "after the last row of the server")
}

func TestLaysPublishedFiguresBesideTheirPhaseInTheUnitsOfTheTable(t *testing.T) {
	row := func(server, phase string) Row {
		return Row{Store: "http-store", Server: server, ServerType: "arrayqueue", Operation: "read", Phase: phase, Valid: true, Median: millis(0.9)}
	}
	rows := []Row{row("arrayqueue", "hits"), row("arrayqueue", "misses"), row("arrayqueue-256", "hits"), row("arrayqueue-64", "hits")}
	in := textfmt.UnitsOf(&v1beta1.Experiment{Status: v1beta1.ExperimentStatus{Units: &v1beta1.Units{Latency: v1beta1.LatencyMicros}}})
	for _, test := range []struct {
		in   textfmt.Units
		want string
	}{
		{textfmt.Units{}, "0.825 1.21 1.12"},
		{in, "825.0 1210.0 1120.0"},
	} {
		table := Table(rows, test.in)
		var medians []string
		for _, published := range table.Rows {
			if strings.HasPrefix(published.Cells[0], "  published") {
				at := slices.IndexFunc(table.Columns, func(c textfmt.Column) bool { return c.Name == "latency_median_ms" })
				medians = append(medians, published.Cells[at])
				assert.Equal(t, "4 threads", published.Cells[len(published.Cells)-1])
			}
		}
		assert.Equal(t, test.want, strings.Join(medians, " "))
		assert.False(t, slices.ContainsFunc(table.Columns, func(c textfmt.Column) bool { return strings.Contains(c.Name, "mid80") }), "they are of all intervals")
	}
}

func TestTellsAStoresFiguresInItsOwnUnits(t *testing.T) {
	row := Row{Store: "s", Server: "inline", Operation: "echo", Ops: some(1000), OpRate: Some(25000.04), Median: millis(0.0312), P999: millis(1.25), Valid: true}
	in := textfmt.UnitsOf(&v1beta1.Experiment{Status: v1beta1.ExperimentStatus{Units: &v1beta1.Units{Operations: "packets", Latency: v1beta1.LatencyMicros}}})
	lines := strings.Split(print(t, Table([]Row{row}, in).Select("server", "ops", "op_rate", "latency_median_ms", "latency_p95_ms", "latency_p999_ms"), "table", false), "\n")
	assert.Equal(t, "SERVER  PACKETS  PACKETS/S  MEDIAN µs  95TH µs  99.9TH µs", lines[0])
	assert.Equal(t, "inline     1000    25000.0       31.2              1250.0", lines[1])
}

func TestShowsThreadsWhereTheyTellRowsApart(t *testing.T) {
	of := func(operation string, threads int, warmup bool) Row {
		return Row{Store: "stub", Server: "hsha", Operation: operation, Threads: threads, Warmup: warmup, Valid: true}
	}
	for name, test := range map[string]struct {
		rows  []Row
		shown bool
	}{
		"a sweep":               {[]Row{of("read", 1, false), of("read", 1024, false)}, true},
		"one count":             {[]Row{of("read", 50, false), of("read", 50, false)}, false},
		"one per operation":     {[]Row{of("read", 50, false), of("write", 10, false)}, false},
		"a preparation differs": {[]Row{of("write", 10, true), of("write", 50, false)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.shown, strings.Contains(print(t, Table(test.rows, textfmt.Units{}), "table", false), "THREADS"))
		})
	}
	assert.Contains(t, print(t, Table([]Row{of("read", 1, false), of("read", 1024, false)}, textfmt.Units{}), "csv", false), "\nhsha,read,1024,")
}

func TestGathersWarningsOfOneKindAndGivesTheWorst(t *testing.T) {
	rows := []Row{
		{Warnings: []string{"disk: node1 has an unknown disk", "colocation: load pod 0 ran on the store's node node2"}},
		{Warnings: []string{"colocation: load pod 0 ran on the store's node node4", "colocation: load pod 1 ran on the store's node node1"}},
		{},
	}
	assert.Equal(t, []string{
		"disk, 1 of 3 rows: node1 has an unknown disk",
		"colocation, 2 of 3 rows: load pod 0 ran on the store's node node2 (and 2 of the same kind)",
	}, Warnings(rows))
	assert.Equal(t, []string{"every row: a"}, Warnings([]Row{{Warnings: []string{"a"}}}))

	const waited = "load wait: load pod %d waited for a core %s of the time in which it was runnable"
	assert.Equal(t, []string{
		"load wait, 1 of 3 rows: the time that load pod 1 waited for a core is not known",
		"load wait, 2 of 3 rows: at worst, load pod 0 waited for a core 99.8% of the time in which it was runnable (and 2 that differ in their figures)",
	}, Warnings([]Row{
		{Warnings: []string{"load wait: the time that load pod 1 waited for a core is not known"}},
		{Warnings: []string{fmt.Sprintf(waited, 0, "34.5%"), fmt.Sprintf(waited, 1, "9.1%")}},
		{Warnings: []string{fmt.Sprintf(waited, 0, "99.8%")}},
	}), "not known of the warm-up alone, and bad in the others")
}

func TestTable_showsAColumnOnlyWhereARowHasAFigureForIt(t *testing.T) {
	tree := Row{Store: "stub", Server: "disruptor", ServerType: "disruptor", Operation: "read", Installation: 1, Valid: true}
	for name, test := range map[string]struct {
		change        func(*Row)
		column, shows string
	}{
		"outcomes": {func(r *Row) { r.Outcomes = []v1beta1.Outcome{{Name: "hit", Count: 35}, {Name: "miss", Count: 965}} }, "OUTCOMES", "hit=35 miss=965"},
		"errors": {func(r *Row) {
			r.ErrorsByKind = []v1beta1.ErrorCount{{Kind: v1beta1.ErrorRefused, Count: 3}, {Kind: v1beta1.ErrorTimedOut, Count: 12}}
		}, "WHY", "refused=3 timed-out=12"},
		"rest":          {func(r *Row) { r.CPU.Idle = Some(1.9876) }, "CORES AT REST", "1.9876"},
		"amplification": {func(r *Row) { r.IO.Write = Some(11.4567) }, "WRITE AMP", "11.457"},
		"CPU time":      {func(r *Row) { r.CPU.PerOp = Some(612_345 * time.Nanosecond) }, "CPU µS/OP", "612.3"},
		"installations": {func(r *Row) { r.Installation = 2 }, "INSTALLATION", ""},
		"published":     {func(r *Row) { r.Store = "cassandra" }, "published", ""},
		"a reason":      {func(r *Row) { r.Valid, r.InvalidReasons = false, []string{"attempt 1: exited\n/load: no log"} }, "INVALID", "INVALID: attempt 1: exited /load: no log\n"},
		"attempts": {func(r *Row) {
			r.Valid, r.InvalidReasons = false, []string{"attempt 1: A: exited", "attempt 2: B: no end", "attempt 3: A: exited", "errors: 3%"}
		}, "INVALID", "INVALID: attempts 1 and 3: A: exited; attempt 2: B: no end; errors: 3%\n"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := tree
			test.change(&changed)
			assert.NotContains(t, print(t, Table([]Row{tree, tree}, textfmt.Units{}), "table", false), test.column)
			text := print(t, Table([]Row{tree, changed}, textfmt.Units{}), "table", false)
			assert.Contains(t, text, test.column)
			assert.Contains(t, text, test.shows)
		})
	}
}
