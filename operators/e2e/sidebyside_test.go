//go:build e2e

package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Cassandra 4.1 and 5.0, each with two nodes and data of its own, are installed at once. One load fills both, takes turns between them, and then
// drives both at the same moment. Each measurement is proved by its own version, and has the CPU time of its own nodes, also in a duet.
func TestTwoVersionsOfCassandraTakeTurnsSideBySide(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cluster := connect(t)
	command := start(ctx, t, "run", "cassandra-versions", "--server", "v41,v50",
		"--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.warmupRounds=0",
		"--set", "spec.keys=2000",
		"--set", "spec.store.values.nodes=2", "--set", "spec.store.values.replicationFactor=2",
		"--set", "spec.phases=[{name: fill, operation: write, type: Prepare, operations: 2000, threads: 10, consistency: QUORUM}, "+
			"{name: read, duration: 6s, threads: 10, consistency: QUORUM, interleave: {window: 500ms, warmup: 2s}}, "+
			"{name: both, operation: mixed, duration: 6s, threads: 10, targetRate: 100, consistency: QUORUM, interleave: {mode: Duet, window: 500ms, warmup: 2s}}]")
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	versions := map[string]string{"v41": "4.1", "v50": "5.0"}
	seen := map[string]int{}
	for _, m := range cluster.measurements(ctx, t, run) {
		require.True(t, m.Status.Valid, "%s: %v", m.Name, m.Status.InvalidReasons)
		seen[m.Spec.Phase]++
		require.NotNil(t, m.Status.Proof, m.Name)
		assert.Equal(t, m.Spec.Server, m.Status.Proof.Server, m.Name)
		assert.Regexp(t, "-"+m.Spec.Server+"$", m.Status.Proof.Release)
		assert.Len(t, m.Status.Environment.StoreNodes, 2, m.Name)
		assert.Contains(t, m.Status.Proof.Settings["version"], versions[m.Spec.Server], m.Name)
		assert.Len(t, m.Status.StorePods, 4, "two stores of two nodes")
		if m.Spec.Interleave != nil {
			require.NotNil(t, m.Status.Result.StoreCPU, m.Name)
			assert.NotEmpty(t, m.Status.Result.StoreCPU.PerOpMicros, m.Name)
		}
	}
	assert.Equal(t, map[string]int{"fill": 2, "read": 2, "both": 2}, seen)
	cluster.requireNothingLeft(ctx, t, run.id)
}
