//go:build e2e

package e2e

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// operations is small enough for CI and large enough that a phase can be interrupted in its middle.
const operations = 20_000

// One run shows the whole promise: two servers, each proved; the operator killed in one phase and the load pod in another;
// and yet every operation accounted for, every row valid, nothing left behind.
func TestMeasuresTwoServersThoughTheOperatorAndALoadPodAreKilled(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Minute)
	defer cancel()
	cluster := connect(t)
	cluster.requireFourReadyNodes(ctx, t)
	servers := []string{"disruptor", "hsha"}

	command := start(ctx, t, "run", "cassandra-quorum",
		"--server", "disruptor,hsha", "--ops", strconv.Itoa(operations), "--profile", profile, "--results", t.TempDir())

	first := cluster.awaitRunning(ctx, t, command, nil)
	cluster.requireOneStorePodPerNode(ctx, t)
	cluster.killOperator(ctx, t)
	t.Logf("killed the operator while %s was running", first.Name)

	second := cluster.awaitRunning(ctx, t, command, &first)
	cluster.killLoadPod(ctx, t, second)
	t.Logf("killed the load pod of %s", second.Name)

	command.requireExit(t, 0)
	run := command.exportedRun(t)

	rows := readCSV(t, run)
	require.Len(t, rows, len(servers)*(1+3), "one write and three reads per server")
	classes := map[string]string{}
	for _, row := range rows {
		assert.Equal(t, "true", row["valid"], "%s %s: %s", row["server"], row["operation"], row["invalid_reasons"])
		assert.Equal(t, operations, number(t, row["ops"])+number(t, row["errors"]), "every operation is accounted for")
		for _, column := range []string{"op_rate", "latency_median_ms", "latency_p95_ms", "latency_p999_ms", "plugin_sha256", "image_digest"} {
			assert.NotEmpty(t, row[column], column)
		}
		classes[row["server"]] = row["server_class"]
	}
	assert.Len(t, classes, len(servers))
	assert.Equal(t, "dev.ringside.thrift.TDisruptorServer", classes["disruptor"])
	assert.NotEqual(t, classes["disruptor"], classes["hsha"], "each server is the one it says it is")

	measurements := cluster.measurements(ctx, t, run)
	require.Len(t, measurements, len(rows), "no measurement is lost or doubled")
	requireSameFigures(t, rows, measurements)
	assert.EqualValues(t, 1, find(t, measurements, first.Name).Status.Attempt, "a restart of the operator does not disturb the load")
	assert.EqualValues(t, 2, find(t, measurements, second.Name).Status.Attempt, "a lost load pod begins its phase again")

	cluster.requireNothingLeft(ctx, t, measurements[0].Labels[v1beta1.LabelRun])
	requireReportShows(t, run, rows)
	requireDashboardsShow(ctx, t, "cassandra", "cassandra-quorum", run)
}

// requireSameFigures holds the CSV against what kubectl shows.
func requireSameFigures(t *testing.T, rows []map[string]string, measurements []v1beta1.Measurement) {
	t.Helper()
	for _, m := range measurements {
		row := findRow(t, rows, m)
		require.NotNil(t, m.Status.Result, m.Name)
		latency := m.Status.Result.Latencies[0]
		assert.Equal(t, string(m.Status.Result.OpRate), row["op_rate"], m.Name)
		assert.Equal(t, string(latency.MedianMillis), row["latency_median_ms"], m.Name)
		assert.Equal(t, string(latency.P95Millis), row["latency_p95_ms"], m.Name)
		assert.Equal(t, string(latency.P999Millis), row["latency_p999_ms"], m.Name)
		assert.Equal(t, m.Status.Proof.Class, row["server_class"], m.Name)
	}
}

func find(t *testing.T, measurements []v1beta1.Measurement, name string) v1beta1.Measurement {
	t.Helper()
	for _, m := range measurements {
		if m.Name == name {
			return m
		}
	}
	require.FailNow(t, "no measurement "+name)
	return v1beta1.Measurement{}
}

func findRow(t *testing.T, rows []map[string]string, m v1beta1.Measurement) map[string]string {
	t.Helper()
	for _, row := range rows {
		if row["measurement"] == m.Name {
			return row
		}
	}
	require.FailNow(t, "no row for "+m.Name)
	return nil
}

func (c cluster) requireFourReadyNodes(ctx context.Context, t *testing.T) {
	t.Helper()
	var nodes corev1.NodeList
	require.NoError(t, c.List(ctx, &nodes))
	ready := 0
	for _, node := range nodes.Items {
		for _, condition := range node.Status.Conditions {
			if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue {
				ready++
			}
		}
	}
	require.Equal(t, 4, ready, "ready nodes")
}

func (c cluster) requireOneStorePodPerNode(ctx context.Context, t *testing.T) {
	t.Helper()
	var pods corev1.PodList
	require.NoError(t, c.List(ctx, &pods, client.InNamespace(namespace),
		client.MatchingLabels{"app.kubernetes.io/component": v1beta1.StoreComponent}))
	nodes := map[string]bool{}
	for _, pod := range pods.Items {
		nodes[pod.Spec.NodeName] = true
	}
	require.Len(t, pods.Items, 4, "store pods")
	require.Len(t, nodes, 4, "each on a node of its own")
}
