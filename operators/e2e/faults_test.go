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
)

// One node of four is paused, and then cut off, under reads that three could answer: real processes are held, real packets dropped, for ten
// seconds and no longer, and the run takes neither for trouble of its own.
func TestTellsWhatANodeThatIsSilentCostsThoseWhoRead(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Minute)
	defer cancel()
	cluster := connect(t)
	const lasts = 10.0
	phase := func(kind string) string {
		return `{name: read-` + kind + `, operation: read, duration: 40s, threads: 8, targetOpsPerSecond: 100, consistency: QUORUM, ` +
			`faults: [{kind: ` + kind + `, node: 1, at: 12s, for: 10s}]}`
	}
	command := start(ctx, t, "run", "cassandra-faults", "--server", "hsha", "--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.keys=2000",
		"--set", "spec.phases=[{name: fill, operation: write, prepare: true, operations: 2000, threads: 10, consistency: QUORUM}, "+
			phase("pause")+", "+phase("cut")+"]")
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	silent := 0
	for _, row := range readCSV(t, run) {
		if row["faults"] == "" {
			continue
		}
		silent++
		what := row["faults"]
		number := func(column string) float64 {
			t.Helper()
			n, err := strconv.ParseFloat(row[column], 64)
			require.NoError(t, err, "%s of %s", column, what)
			return n
		}
		assert.Equal(t, "true", row["valid"], "%s: %s", what, row["invalid_reasons"])
		assert.True(t, strings.HasPrefix(what, "pause:1@") || strings.HasPrefix(what, "cut:1@"), what)
		assert.Less(t, number("fault_availability"), 1.0, "%s: some of what was asked had to wait", what)
		assert.GreaterOrEqual(t, number("fault_ready_s"), lasts, what)
		assert.Less(t, number("fault_detect_s"), lasts, "%s was noticed while it lasted", what)
		assert.Positive(t, number("fault_recover_s"), what)
	}
	require.Equal(t, 2, silent)
	for _, m := range cluster.measurements(ctx, t, run) {
		for _, fault := range m.Status.Faults {
			require.NotNil(t, fault.BeganAt, m.Name)
			require.NotNil(t, fault.UndoneAt, m.Name)
			assert.InDelta(t, lasts, fault.UndoneAt.Sub(fault.BeganAt.Time).Seconds(), 2, m.Name)
			assert.Equal(t, fault.UID, fault.Successor, "%s: the node lived through it", m.Name)
		}
	}
	cluster.requireNothingLeft(ctx, t, run.id)
}
