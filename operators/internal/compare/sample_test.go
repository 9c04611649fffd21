package compare

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
)

// Percentiles are left out: they need histograms.
func TestTwoEqualMeasurementsHaveTheFigureOfOne(t *testing.T) {
	for _, metric := range Metrics() {
		if metric.Percentile > 0 {
			continue
		}
		t.Run(metric.Name, func(t *testing.T) {
			row := results.Row{Ops: results.Some[int64](1000), OpRate: results.Some(500.0), OperationTime: results.Some(2 * time.Second)}
			require.NoError(t, metric.column.Decode(&row, "7"))
			one, err := Figure(runOf(), []*results.Row{&row}, metric)
			require.NoError(t, err)
			both, err := Figure(runOf(), []*results.Row{&row, &row}, metric)
			require.NoError(t, err)
			assert.InDelta(t, 7, one, 1e-9)
			assert.InDelta(t, one, both, 1e-9)
		})
	}
}

func TestBytesWrittenInRepeatsAreThoseOfAnOperation(t *testing.T) {
	rows := writing(rates("stcs", "stcs", 5000, 5000), 100, 200)
	rows[1].Ops = results.Some[int64](3000)
	value, err := Figure(runOf(rows), []*results.Row{&rows[0], &rows[1]}, metric(t, results.WrittenPerOperation))
	require.NoError(t, err)
	assert.InDelta(t, (1000*100+3000*200)/4000.0, value, 1e-9)
}

func TestRepeatsAreComparedByTheBytesThatTheyWrote(t *testing.T) {
	run := runOf(twice(writing(rates("stcs", "stcs", 5000, 5010, 4990, 5000), 200, 206, 197, 201)), twice(writing(rates("lcs", "lcs", 5010, 5000, 5000, 4990), 396, 410, 402, 399)))
	result, err := Within(run, Options{Baseline: "stcs", Primary: results.WrittenPerOperation})
	require.NoError(t, err)
	for _, c := range result.Comparisons {
		if c.Metric.Name == results.WrittenPerOperation {
			assert.InDelta(t, 2, c.Ratio, 0.03)
			assert.Equal(t, ratio.Slower, c.Verdict)
			return
		}
	}
	assert.Fail(t, "bytes written are not compared")
}

// twice returns each row as two repeats of its round.
func twice(rows []results.Row) []results.Row {
	var both []results.Row
	for _, row := range rows {
		again := row
		again.Repeat = 2
		both = append(both, row, again)
	}
	return both
}
