//go:build e2e

package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/metrics"
)

// Points that come to the cache by way of Kafka: the chart's broker with a topic of the server's, a load that writes into it, a store that reads
// from it. The load holds every trip that ends against what comes out of the cache behind the topic.
func TestBuildsTripsFromPointsThatComeByWayOfKafka(t *testing.T) {
	nightly(t)
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Minute)
	defer cancel()
	cluster := connect(t)
	command := start(ctx, t, "run", "trip-kafka",
		"--server", "rocksdb", "--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.gates.targetRate=Warn", // a disk that stalls at a phase's end holds back packets, which is not the question here
		"--set", `spec.load.parameters={transport: kafka, trips: "20", multiplier: "10"}`, // few, so that many of them end
		"--set", "spec.phases=[{name: warm, operation: point, type: Prepare, duration: 10s, threads: 8, targetRate: 1000}, "+
			"{name: rate, operation: point, duration: 20s, threads: 8, targetRate: 1000}]")
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	rows := readCSV(t, run)
	require.NotEmpty(t, rows)
	for _, row := range rows {
		assert.Equal(t, "true", row["valid"], "%s: %s", row["phase"], row["invalid_reasons"])
		assert.Equal(t, "0", row["errors"])
		assert.Equal(t, "kept="+row["ops"], row["outcomes"], "every point is in the cache, and every trip that ended came out as it went in")
		assert.Equal(t, "org.rocksdb.RocksDB", row["server_class"])
		assert.Equal(t, "response", row["latency_kind"], "from when a point was due to when it was in the cache")
	}
	requireTripsCameOut(ctx, t, run, 1)
	for _, lag := range highest(ctx, t, run, metrics.TripFeedAge, metrics.LabelServer) {
		assert.Positive(t, float64(lag.Value), "points came through the topic of %s, and took a moment", lag.Metric)
	}
	cluster.requireNothingLeft(ctx, t, run.id)
}
