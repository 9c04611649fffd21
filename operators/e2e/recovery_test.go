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

// A store's process is killed in mid-stream and comes back in its container: RocksDB has all that it acknowledged, the heap says that it has not.
func TestTellsWhatAKillCostsAPersistentCacheAndOneThatKeepsNothing(t *testing.T) {
	nightly(t)
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Minute)
	defer cancel()
	cluster := connect(t)
	command := start(ctx, t, "run", "trip-recovery",
		"--server", "rocksdb,heap", "--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.store.values.heap.max=256M",
		"--set", `spec.load.parameters={trips: "20", multiplier: "10"}`, // few, so that many of them end
		"--set", "spec.phases=[{name: recovery, operation: point, duration: 20s, threads: 4, targetRate: 2000, type: Recovery, recovery: {killAfter: 8s}}]")
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	rows := readCSV(t, run)
	require.Len(t, rows, 2)
	for _, row := range rows {
		server := row["server"]
		number := func(column string) float64 {
			t.Helper()
			n, err := strconv.ParseFloat(row[column], 64)
			require.NoError(t, err, "%s of %s", column, server)
			return n
		}
		assert.Equal(t, "true", row["valid"], "%s: %s", server, row["invalid_reasons"])
		assert.Equal(t, "0", row["errors"], server)
		assert.Positive(t, number("recovery_s"), server)
		assert.GreaterOrEqual(t, number("recovery_all_s"), number("recovery_s"), server)
		assert.Equal(t, row["ops"], row["recovery_sent"], "every point that was sent is in the books of %s", server)
		assert.Equal(t, number("recovery_acknowledged"), number("recovery_kept")+number("recovery_lost")+number("recovery_refused"), server)
		if server == "rocksdb" {
			assert.Equal(t, "0", row["recovery_lost"], "nothing that was acknowledged is lost")
			assert.Equal(t, row["recovery_acknowledged"], row["recovery_kept"])
		} else {
			assert.Positive(t, number("recovery_lost"), "the loss is stated")
			assert.Contains(t, row["warnings"], "as its proof states, this server keeps nothing when it is killed")
		}
	}
	assert.Contains(t, command.printed(), "RECOVERY S")
	measurements := cluster.measurements(ctx, t, run)
	require.Len(t, measurements, len(rows))
	requireSameFigures(t, rows, measurements)
	cluster.requireNothingLeft(ctx, t, run.id)
	requireReportShows(t, run, rows)
}
