package textfmt

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestNearest(t *testing.T) {
	known := []string{"hsha", "disruptor", "xedin", "operations", "keys", "compaction_throughput_mb_per_sec"}
	for word, want := range map[string]string{
		"hsah": "hsha", "disruptr": "disruptor", "operatons": "operations", "Keys": "keys", "x": "", "": "", "threadpool": "", "xedni": "xedin", "compaction_throughput": "compaction_throughput_mb_per_sec", "abc": "",
	} {
		assert.Equal(t, want, Nearest(word, known), word)
	}
}

func TestTheNearestNameTakesFewChanges(t *testing.T) {
	known := []string{"compaction_throughput_mb_per_sec", "concurrent_reads", "concurrent_writes", "heap"}
	for name, want := range map[string]string{
		"concurent_reads": "concurrent_reads", "concurrentReads": "concurrent_reads", "CONCURRENT_WRITES": "concurrent_writes",
		"compaction_throughput": "compaction_throughput_mb_per_sec", "heap_size": "heap", "audit_logging": "", "": "",
	} {
		assert.Equal(t, want, Nearest(name, known), name)
	}
	assert.Equal(t, 3, edits("kitten", "sitting"))
	assert.Equal(t, 4, edits("", "heap"))
}

func small() *Table {
	t := &Table{Columns: []Column{{Title: "SERVER", Name: "server"}, {Title: "OP RATE", Name: "op_rate", Right: true}}}
	t.Add(Plain, "hsha", "8176.0")
	t.Add(Warn, "threadedselector", "9.5")
	return t
}

func print(t *testing.T, table *Table, format string, colour bool) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, table.Write(&out, format, colour))
	return out.String()
}

func TestAlignsTextLeftAndFiguresRight(t *testing.T) {
	assert.Equal(t, ""+
		"SERVER            OP RATE\n"+
		"hsha               8176.0\n"+
		"threadedselector      9.5\n", print(t, small(), "table", false))
}

func TestColoursOnlyWhereAsked(t *testing.T) {
	assert.Contains(t, print(t, small(), "table", true), "\x1b[33mthreadedselector      9.5\x1b[0m\n")
	assert.NotContains(t, print(t, small(), "table", false), "\x1b")
}

func TestPrintsForSpreadsheetsAndPrograms(t *testing.T) {
	assert.Equal(t, "server,op_rate\nhsha,8176.0\nthreadedselector,9.5\n", print(t, small(), "csv", true))
	assert.Equal(t, "server\top_rate\nhsha\t8176.0\nthreadedselector\t9.5\n", print(t, small(), "tsv", true))
	assert.JSONEq(t, `[{"server":"hsha","op_rate":"8176.0"},{"server":"threadedselector","op_rate":"9.5"}]`, print(t, small(), "json", true))
	assert.EqualError(t, small().Write(&strings.Builder{}, "xml", false), `unknown format "xml": choose from table, wide, csv, tsv, json`)
}

func TestFormatsTextForPeople(t *testing.T) {
	for want, got := range map[string]string{
		"1 round":             Count(1, "round"),
		"0 rounds":            Count(0, "round"),
		"21 rounds":           Count(21, "round"),
		"-7":                  Int(-7),
		"98.7%":               Percent(0.987, 1),
		"95.0%":               Percent(0.95, 1),
		"0.50%":               Percent(0.005, 2),
		"3%":                  ShortPercent(0.03, 1),
		"3.5%":                ShortPercent(0.035, 1),
		"10%":                 ShortPercent(0.1, 0),
		"100.00%":             ShortPercent(1, 2),
		"a message of lines":  OneLine("a message\n\tof  lines\n"),
		"the first of two":    FirstLine(errors.New("the first of two\nand the second")),
		"the only one in all": FirstLine(errors.New("the only one in all")),
	} {
		assert.Equal(t, want, got)
	}
}

func TestTellsOperationsAndMillisecondsWhereTheChartSaysNothing(t *testing.T) {
	for _, u := range []Units{UnitsOf(nil), UnitsOf(&v1beta1.Experiment{}), UnitsOf(&v1beta1.Experiment{Status: v1beta1.ExperimentStatus{Units: &v1beta1.Units{Latency: v1beta1.LatencyMillis}}})} {
		assert.Equal(t, "operations", u.Operations())
		assert.Equal(t, "op/s", u.PerSecond())
		assert.Equal(t, "ms", u.Latency())
		assert.Equal(t, "0.123", u.Format(0.1234))
		assert.Equal(t, "95TH MS", u.Title("95TH MS"))
		assert.InDelta(t, 0.5, u.FromMillis(0.5, "ms"), 0)
	}
}

func TestTellsPacketsAndMicrosecondsWhereItDoes(t *testing.T) {
	u := UnitsOf(&v1beta1.Experiment{Status: v1beta1.ExperimentStatus{Units: &v1beta1.Units{Operations: "packets", Latency: v1beta1.LatencyMicros}}})
	assert.Equal(t, "packets", u.Operations())
	assert.Equal(t, "packets/s", u.PerSecond())
	assert.Equal(t, "µs", u.Latency())
	assert.Equal(t, "123.4", u.Format(0.1234))
	assert.Equal(t, "95TH µs", u.Title("95TH MS"))
	assert.InDelta(t, 500, u.FromMillis(0.5, "ms"), 0)
	assert.InDelta(t, 0.5, u.FromMillis(0.5, "1/s"), 0, "a rate is no latency")
	assert.Equal(t, "µs", u.Sign("ms"))
	assert.Equal(t, "1/s", u.Sign("1/s"))
	assert.Empty(t, u.Format(math.NaN()))
}
