//go:build e2e

package e2e

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// One node of four is paused, loses a share of its packets and gets them late under reads, and is cut off under writes, which three could answer:
// real processes are held, real packets lost and held, for some seconds and no longer, and the run takes none of it for trouble of its own.
func TestTellsWhatANodeThatIsSilentCostsThoseWhoAsk(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Minute)
	defer cancel()
	cluster := connect(t)
	phase := func(operation, duration, fault string) string {
		kind, _, _ := strings.Cut(fault, ",")
		return `{name: ` + operation + `-` + strings.ToLower(kind) + `, type: Faults, operation: ` + operation + `, duration: ` + duration + `, threads: 8, targetRate: 100, consistency: QUORUM, ` +
			`faults: [{node: 1, kind: ` + fault + `}]}`
	}
	lasts := map[v1beta1.FaultKind]float64{v1beta1.FaultPause: 10, v1beta1.FaultCut: 10, v1beta1.FaultLose: 4, v1beta1.FaultSlow: 4}
	command := start(ctx, t, "run", "cassandra-faults", "--server", "hsha", "--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.keys=2000",
		"--set", "spec.phases=[{name: fill, operation: write, type: Prepare, operations: 2000, threads: 10, consistency: QUORUM}, "+
			phase("read", "40s", "Pause, at: 12s, for: 10s")+", "+phase("write", "40s", "Cut, at: 12s, for: 10s")+", "+
			phase("read", "20s", "Lose, share: 20%, at: 6s, for: 4s")+", "+phase("read", "20s", "Slow, delay: 50ms, at: 6s, for: 4s")+"]")
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	hit := 0
	for _, row := range readCSV(t, run) {
		if row["faults"] == "" {
			continue
		}
		hit++
		what := row["faults"]
		number := func(column string) float64 {
			t.Helper()
			n, err := strconv.ParseFloat(row[column], 64)
			require.NoError(t, err, "%s of %s", column, what)
			return n
		}
		assert.Equal(t, "true", row["valid"], "%s: %s", what, row["invalid_reasons"])
		word, node, _ := strings.Cut(what, ":")
		at := slices.IndexFunc(v1beta1.FaultKinds(), func(k v1beta1.FaultKind) bool { return k.String() == word })
		require.NotEqual(t, -1, at, what)
		kind := v1beta1.FaultKinds()[at]
		require.Contains(t, lasts, kind)
		assert.True(t, strings.HasPrefix(node, "1@"), what)
		assert.GreaterOrEqual(t, number("fault_ready_s"), lasts[kind], what)
		assert.GreaterOrEqual(t, number("read_repairs"), 0.0, what)
		if kept := number("hints_kept"); row["operation"] == "write" {
			assert.Positive(t, kept, "%s: what was written for the node meanwhile was kept for it", what)
		}
		if !kind.Silences() {
			continue // who asks may not notice
		}
		assert.Less(t, number("fault_availability"), 1.0, "%s: some of what was asked had to wait", what)
		assert.Less(t, number("fault_detect_s"), lasts[kind], "%s was noticed while it lasted", what)
		assert.Positive(t, number("fault_recover_s"), what)
	}
	require.Equal(t, len(lasts), hit)
	for _, m := range cluster.measurements(ctx, t, run) {
		for _, fault := range m.Status.Faults {
			require.NotNil(t, fault.BeganAt, m.Name)
			require.NotNil(t, fault.UndoneAt, m.Name)
			assert.InDelta(t, lasts[m.Spec.Faults[fault.Index].Kind], fault.UndoneAt.Sub(fault.BeganAt.Time).Seconds(), 2, m.Name)
			assert.Equal(t, fault.UID, fault.Successor, "%s: the node lived through it", m.Name)
		}
	}
	cluster.requireNothingLeft(ctx, t, run.id)
}
