//go:build e2e

package e2e

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// The store of datagrams: two ways to hand one over, each in a store of its own, under a little load and then at rest.
func TestComparesHandOffsOfDatagramsUnderLoadAndAtRest(t *testing.T) {
	nightly(t)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cluster := connect(t)
	command := start(ctx, t, "run", "udp-idle",
		"--server", "blocking,disruptor-sleeping", "--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.phases=[{name: warm, operation: echo, type: Prepare, duration: 2s, threads: 2}, "+
			"{name: echo, duration: 3s, threads: 2}, {name: idle, type: Idle, duration: 5s}]")
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	rows := readCSV(t, run)
	require.Len(t, rows, 2*3, "of each server a warm-up, a load and a rest")
	classes := map[string]string{"blocking": "dev.ringside.udp.echo.BlockingEcho", "disruptor-sleeping": "com.lmax.disruptor.SleepingWaitStrategy"}
	atRest := map[string]float64{}
	for _, row := range rows {
		assert.Equal(t, "true", row["valid"], "%s %s: %s", row["server"], row["phase"], row["invalid_reasons"])
		assert.Equal(t, classes[row["server"]], row["server_class"], row["phase"])
		if row["phase"] == "idle" {
			assert.Empty(t, row["ops"], "nothing is asked of a store at rest")
			cores, err := strconv.ParseFloat(row["idle_cpu_cores"], 64)
			require.NoError(t, err, "what %s uses at rest", row["server"])
			atRest[row["server"]] = cores
			continue
		}
		assert.Equal(t, "0", row["errors"], "%s %s", row["server"], row["phase"])
		assert.True(t, strings.HasPrefix(row["outcomes"], "echoed="), row["outcomes"])
		assert.Empty(t, row["idle_cpu_cores"])
	}
	assert.Less(t, atRest["blocking"], 0.5, "who waits for a datagram uses next to nothing")
	assert.Greater(t, atRest["disruptor-sleeping"], atRest["blocking"], "who looks again and again uses more")
	assert.Contains(t, command.printed(), "CORES AT REST")
	assert.Contains(t, command.printed(), "MEDIAN µs", "in the unit that its chart says")

	measurements := cluster.measurements(ctx, t, run)
	require.Len(t, measurements, len(rows), "no measurement is lost or doubled")
	var loaded []v1beta1.Measurement
	for _, m := range measurements {
		if m.Spec.Phase != "idle" {
			loaded = append(loaded, m)
		}
	}
	requireSameFigures(t, rows, loaded)
	cluster.requireNothingLeft(ctx, t, run.id)
	requireReportShows(t, run, rows)
	requireScraped(ctx, t, run)
}
