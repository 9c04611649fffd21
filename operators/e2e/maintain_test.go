//go:build e2e

package e2e

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// One of four nodes of Cassandra 5.0 flushes its memtables, leaves the ring, and is killed, upon which it joins as a new node. All of it is as
// ordered, so that no measurement is invalid.
func TestANodeCarriesOutTasksLeavesAndJoinsAgain(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 12*time.Minute)
	defer cancel()
	cluster := connect(t)
	phase := func(name, duration, fault string) string {
		return `{name: ` + name + `, type: Faults, operation: mixed, duration: ` + duration + `, threads: 8, targetRate: 50, consistency: QUORUM, ` +
			`faults: [{node: 1, at: 6s, ` + fault + `}]}`
	}
	command := start(ctx, t, "run", "cassandra-operations", "--server", "v50", "--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.keys=2000", "--set", "spec.store.values.ringDelayMillis=4000",
		"--set", "spec.phases=[{name: fill, operation: write, type: Prepare, operations: 2000, threads: 10, consistency: QUORUM}, "+
			phase("flush", "30s", "kind: Maintain, task: flush, for: 10s")+", "+
			phase("leave", "110s", "kind: Maintain, task: decommission, for: 90s")+", "+phase("add", "150s", "kind: Kill")+"]")
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	hit := map[string]bool{}
	for _, row := range readCSV(t, run) {
		if row["faults"] == "" {
			continue
		}
		assert.Equal(t, "true", row["valid"], "%s: %s", row["faults"], row["invalid_reasons"])
		_, err := strconv.ParseFloat(row["fault_ready_s"], 64)
		require.NoError(t, err, "%s has ended", row["faults"])
		hit[row["phase"]] = true
	}
	require.Equal(t, map[string]bool{"flush": true, "leave": true, "add": true}, hit)
	for _, m := range cluster.measurements(ctx, t, run) {
		for _, fault := range m.Status.Faults {
			added := m.Spec.Faults[fault.Index].Kind == v1beta1.FaultKill
			assert.Equal(t, added, fault.UID != fault.Successor, "%s: only the pod of the added node is another", m.Name)
		}
	}
	cluster.requireNothingLeft(ctx, t, run.id)
}

// One of four nodes of Cassandra 4.1 becomes 5.0 on its own data, and stays 5.0 in a new pod. The proofs of all nodes are as ordered, so that no
// measurement is invalid.
func TestANodeIsUpgradedAndStaysSo(t *testing.T) {
	nightly(t)
	ctx, cancel := context.WithTimeout(context.Background(), 12*time.Minute)
	defer cancel()
	cluster := connect(t)
	phase := func(name, duration, fault string) string {
		return `{name: ` + name + `, type: Faults, operation: mixed, duration: ` + duration + `, threads: 8, targetRate: 50, consistency: QUORUM, ` +
			`faults: [{node: 1, at: 6s, ` + fault + `}]}`
	}
	command := start(ctx, t, "run", "cassandra-upgrade", "--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.keys=2000", "--set", "spec.store.values.ringDelayMillis=4000",
		"--set", "spec.phases=[{name: fill, operation: write, type: Prepare, operations: 2000, threads: 10, consistency: QUORUM}, "+
			phase("upgrade", "170s", "kind: Maintain, task: upgrade, for: 150s")+", "+phase("kill", "120s", "kind: Kill")+", "+
			"{name: read, operations: 500, threads: 8, consistency: QUORUM}]")
	command.requireExit(t, 0)
	run := command.exportedRun(t)

	for _, row := range readCSV(t, run) {
		assert.Equal(t, "true", row["valid"], "%s: %s", row["phase"], row["invalid_reasons"])
		if row["phase"] == "upgrade" {
			_, err := strconv.ParseFloat(row["fault_ready_s"], 64)
			require.NoError(t, err, "the node serves again")
		}
	}
	versions := map[string]string{}
	for _, m := range cluster.measurements(ctx, t, run) {
		versions[m.Spec.Phase] = m.Status.Proof.Settings["version"] + " " + m.Status.Environment.Store["upgraded"]
	}
	const mixed = "4.1.10 and 5.0.9 node 1 to v50-java11"
	assert.Equal(t, map[string]string{"fill": "4.1.10 ", "upgrade": mixed, "kill": mixed, "read": mixed}, versions)
	cluster.requireNothingLeft(ctx, t, run.id)
}
