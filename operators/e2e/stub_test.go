//go:build e2e

package e2e

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The stub store and the YCSB load, all servers in one store: ten clients of a handler that sleeps for 100 ms. One thread cannot
// answer more than ten in a second; a server that answers more has run them side by side.
func TestComparesServersWithoutAStoreBehindThem(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cluster := connect(t)
	command := start(ctx, t, "run", "stub-clients", "--keys", "100",
		"--set", "spec.store.values.handler=sleep:100ms,spec.phases.fill.operations=100,spec.phases.read.sweep.threads={10}",
		"--server", "nonblocking,hsha,disruptor", "--rounds", "1", "--profile", profile, "--results", t.TempDir())
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	rows := readCSV(t, run)
	const alone = 10.0 // requests per second of one thread
	rates, classes := map[string]float64{}, map[string]string{}
	for _, row := range rows {
		assert.Equal(t, "true", row["valid"], "%s %s: %s", row["server"], row["operation"], row["invalid_reasons"])
		assert.Equal(t, "0", row["errors"], "%s %s", row["server"], row["operation"])
		if row["operation"] == "read" {
			rate, err := strconv.ParseFloat(row["op_rate"], 64)
			require.NoError(t, err)
			rates[row["server"]], classes[row["server"]] = rate, row["server_class"]
		}
	}
	require.Len(t, rates, 3)
	assert.LessOrEqual(t, rates["nonblocking"], 1.1*alone, "one after the other")
	assert.Greater(t, rates["hsha"], 2*alone, "side by side")
	assert.Greater(t, rates["disruptor"], 2*alone, "side by side")
	assert.Equal(t, "dev.ringside.thrift.TDisruptorServer", classes["disruptor"])
	assert.NotContains(t, command.printed(), "published", "the published figures are Cassandra's")

	measurements := cluster.measurements(ctx, t, run)
	require.Len(t, measurements, len(rows), "no measurement is lost or doubled")
	requireSameFigures(t, rows, measurements)
	cluster.requireNothingLeft(ctx, t, run.id)
	requireReportShows(t, run, rows)
}
