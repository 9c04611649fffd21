package compare

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/results"
)

func resting(server string, cores ...float64) []results.Row {
	var rows []results.Row
	for i, used := range cores {
		row := results.Row{Run: "r", Server: server, ServerType: server, Operation: "idle", Phase: "idle", Threads: 1, Round: i + 1, Repeat: 1, Valid: true,
			OperationTime: results.Some(30 * time.Second)}
		row.CPU.Idle = results.Some(used)
		rows = append(rows, row)
	}
	return rows
}

func TestServersAtRestAreComparedByWhatTheyUseAndByNothingElse(t *testing.T) {
	run := runOf(resting("blocking", 0.010, 0.011, 0.010, 0.0105), resting("spinner", 1.99, 2.0, 1.98, 2.0), rates("blocking", "blocking", 100, 101, 99, 100), rates("spinner", "spinner", 100, 99, 101, 100))
	result, err := Within(run, to("blocking"))
	require.NoError(t, err)
	compared := map[string][]string{}
	for _, c := range result.Comparisons {
		compared[c.Cell.Operation] = append(compared[c.Cell.Operation], c.Metric.Name)
		if c.Cell.Operation == "idle" {
			assert.True(t, c.Primary)
			assert.Greater(t, c.Ratio, 150.0)
			assert.Equal(t, "slower", string(c.Verdict))
		}
	}
	assert.Equal(t, map[string][]string{"idle": {results.CPUAtRest}, "read": {"op_rate"}}, compared)
	for _, note := range result.Notes {
		assert.NotContains(t, note, "idle", "nobody misses a rate of what was idle")
	}
}

func TestRepeatsAtRestAreWeighedByTheirTime(t *testing.T) {
	rows := resting("blocking", 0.1, 0.4)
	rows[1].OperationTime = results.Some(60 * time.Second)
	value, err := Figure(runOf(rows), []*results.Row{&rows[0], &rows[1]}, metric(t, results.CPUAtRest))
	require.NoError(t, err)
	assert.InDelta(t, 0.3, value, 1e-9)
}
