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

// The cache under a stream: RocksDB and LMDB in one store, each with trips of its own, under one load of points at a constant rate. The load
// holds every trip that ends against what comes out, so that a row without errors is one of trips that came out right.
func TestBuildsTripsInPersistentCachesFromAStreamOfTheirPoints(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 7*time.Minute)
	defer cancel()
	cluster := connect(t)
	command := start(ctx, t, "run", "trip-capacity",
		"--server", "rocksdb,lmdb", "--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.store.hosting=Shared",
		"--set", "spec.store.values.heap.max=256M", // so that there are collections to show
		"--set", "spec.gates.targetRate=Warn", // a disk that stalls at a window's end holds back packets, which is not the question here
		"--set", `spec.load.parameters={trips: "20", multiplier: "10"}`, // few, so that many of them end
		// The warm-up is so long that Prometheus finds its pod, which it looks for every five seconds; a pod that was never scraped waits for none.
		"--set", "spec.phases=[{name: warm, operation: point, type: Prepare, duration: 10s, threads: 4}, "+
			// So long, with the profiles' repetitions, that the embedded cluster's Prometheus, which asks the kubelet once a minute for the
			// containers, has asked twice whenever the store came: it lives for more than two minutes and a quarter.
			"{name: rate, operation: point, duration: 75s, threads: 4, targetRate: 4000, interleave: {window: 1s, warmup: 2s}, profile: [CPU]}]")
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	rows := readCSV(t, run)
	classes := map[string]string{"rocksdb": "org.rocksdb.RocksDB", "lmdb": "org.lmdbjava.Env"}
	measured, profiled := map[string]int{}, map[string]int{}
	for _, row := range rows {
		assert.Equal(t, "true", row["valid"], "%s %s: %s", row["server"], row["phase"], row["invalid_reasons"])
		assert.Equal(t, "0", row["errors"], "%s %s", row["server"], row["phase"])
		assert.Equal(t, "kept="+row["ops"], row["outcomes"], "every point is in the cache, and every trip that ended came out as it went in")
		assert.Equal(t, classes[row["server"]], row["server_class"])
		switch {
		case row["profile"] != "":
			profiled[row["server"]]++
		case row["phase"] == "rate":
			measured[row["server"]]++
			assert.Equal(t, "response", row["latency_kind"], "points are due at their time")
			assert.NotEmpty(t, row["cpu_per_op_us"], row["server"])
			assert.NotEmpty(t, row["switches_per_op"], "what the store counts is what the platform looks for")
		}
	}
	each := map[string]int{"rocksdb": 1, "lmdb": 1}
	assert.Equal(t, each, measured)
	assert.Equal(t, each, profiled)
	requireFlameGraphs(t, run, len(profiled), "dev/ringside/trip/store/TripServer")
	assert.Contains(t, command.printed(), "POINTS/S", "in the units that its chart says")

	measurements := cluster.measurements(ctx, t, run)
	require.Len(t, measurements, len(rows), "no measurement is lost or doubled")
	requireSameFigures(t, rows, measurements)
	cluster.requireNothingLeft(ctx, t, run.id)
	requireReportShows(t, run, rows)
	requireTripsCameOut(ctx, t, run, len(classes))
	requireDashboardsShow(ctx, t, "trip-cache", "trip-capacity", run)
}

// requireTripsCameOut checks that trips have ended in every server, so that there was something to hold against what was sent, and that none
// was found without its beginning: by the store's own figures.
func requireTripsCameOut(ctx context.Context, t *testing.T, run run, servers int) {
	t.Helper()
	requireScraped(ctx, t, run)
	ended := highest(ctx, t, run, metrics.TripEnded, metrics.LabelServer)
	require.Len(t, ended, servers)
	for _, ended := range ended {
		assert.Positive(t, float64(ended.Value), "trips that ended in %s", ended.Metric)
	}
	for _, gaps := range highest(ctx, t, run, metrics.TripGaps, metrics.LabelServer) {
		assert.Zero(t, float64(gaps.Value), "points whose trips were lost by %s", gaps.Metric)
	}
}
