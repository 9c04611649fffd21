//go:build e2e

package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// A Cassandra that hosts one server type three times, one of them slowed on purpose, under one load that goes round among them: each has a
// port of its own, proves what it is, and has its windows. (Whether it is found to be slower takes minutes: experiments/cassandra-slowed.yaml.)
func TestGoesRoundAmongServersOfOneTypeThatAreEachTheirOwn(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	cluster := connect(t)
	command := start(ctx, t, "run", "cassandra-slowed",
		"--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.warmupRounds=0",
		"--set", "spec.keys=2000",
		"--set", "spec.phases=[{name: fill, operation: write, type: Prepare, operations: 2000, threads: 20, consistency: QUORUM}, "+
			"{name: read, duration: 6s, threads: 10, consistency: QUORUM, interleave: {window: 500ms, warmup: 2s}}]")
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	rows := readCSV(t, run)
	require.Len(t, rows, 1+3, "one fill, and a read of each server")
	ports := map[int32]string{}
	for _, m := range cluster.measurements(ctx, t, run) {
		row := findRow(t, rows, m)
		assert.Equal(t, "true", row["valid"], "%s %s: %s", row["server"], row["operation"], row["invalid_reasons"])
		if m.Spec.Phase == "fill" {
			continue
		}
		proof := m.Status.Proof
		require.NotNil(t, proof, m.Name)
		assert.Equal(t, m.Spec.Server, proof.Server, "each is proved by its own name")
		assert.Empty(t, ports[proof.Port], "each has its own port")
		ports[proof.Port] = proof.Server
		assert.Equal(t, map[string]string{"threadpool-slowed": "0.05"}[m.Spec.Server], proof.Environment["hold"], m.Name)
		require.NotNil(t, m.Status.Result, m.Name)
		assert.Len(t, m.Status.Result.Intervals.Operations, 4, "6 s of windows of 500 ms among three servers")
		assert.Equal(t, v1beta1.LatencyService, m.Status.Result.LatencyKind)
	}
	assert.Len(t, ports, 3)
	assert.Contains(t, command.printed(), "threadpool-slowed")
	cluster.requireNothingLeft(ctx, t, run.id)
}
