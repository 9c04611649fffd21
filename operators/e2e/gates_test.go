//go:build e2e

package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// One load that has everything against it: a tenth of the CPU that it wants and a rate that nobody reaches, and a store on nodes that
// are said to have no SSD. Every gate that looks at such things must speak, and the run end with exit code 3. (What the operator makes of
// errors, lost operations, restarts, missing nodes, wrong variants and a load beside the store is tested on an API server alone: the stub
// leaves three nodes free.)
func TestEveryGateSpeaksOfALoadThatHasEverythingAgainstIt(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cluster := connect(t)
	cluster.relabelDisks(ctx, t, "hdd")
	command := start(ctx, t, "run", "stub-clients",
		"--server", "hsha", "--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.phases.read.sweep.threads=[16]",
		"--set", "spec.phases.read.duration=5s",
		"--set", "spec.phases.read.targetRate=1000000",
		"--set", "spec.load.resources={requests: {cpu: 100m, memory: 256Mi}, limits: {cpu: 500m, memory: 1Gi}}",
		"--set", "spec.gates={loadCPU: Enforce, loadCPUMax: 50%, loadWait: Enforce, loadWaitMax: 0.1%, throttling: Enforce, targetRate: Enforce, colocation: Enforce, disk: Enforce}")
	command.requireExit(t, 3)
	run := command.exportedRun(t)

	for _, row := range readCSV(t, run) {
		if row["operation"] != "read" {
			assert.Equal(t, "true", row["valid"], "what is prepared is compared with nothing: its gates only warn")
			assert.NotEmpty(t, row["warnings"], row["operation"])
			continue
		}
		assert.Equal(t, "false", row["valid"])
		for _, gate := range []string{"load CPU: ", "load wait: ", "throttling: ", "target rate: ", "disk: "} {
			assert.Contains(t, row["invalid_reasons"], gate)
		}
		for _, silent := range []string{"variant: ", "nodes: ", "colocation: ", "store restart: ", "errors: ", "start skew: ", "not known"} {
			assert.NotContains(t, row["invalid_reasons"], silent)
		}
		assert.NotEmpty(t, row["op_rate"], "the figures are kept, marked")
	}
	for _, m := range cluster.measurements(ctx, t, run) {
		assert.Equal(t, m.Spec.Warmup, m.Status.Valid, m.Name)
	}
	cluster.requireNothingLeft(ctx, t, run.id)
}

// A store pod that is lost in the only attempt that a phase has: the figures are kept, and count for nothing.
func TestAStorePodThatIsLostInTheLastAttemptInvalidatesTheFigures(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cluster := connect(t)
	command := start(ctx, t, "run", "stub-clients",
		"--server", "hsha", "--rounds", "1", "--profile", profile, "--results", t.TempDir(),
		"--set", "spec.maxAttempts=1",
		"--set", "spec.phases.read.sweep.threads=[2]",
		"--set", "spec.phases.read.duration=10s")
	filled := cluster.awaitRunning(ctx, t, command, nil)
	for filled.Spec.Phase != "read" {
		filled = cluster.awaitRunning(ctx, t, command, &filled)
	}
	cluster.kill(ctx, t, client.MatchingLabels{"app.kubernetes.io/component": v1beta1.StoreComponent})
	command.requireExit(t, 3)
	run := command.exportedRun(t)
	rows := readCSV(t, run)
	require.Len(t, rows, 2)
	for _, row := range rows {
		if row["operation"] == "read" {
			assert.Equal(t, "false", row["valid"])
			assert.Contains(t, row["invalid_reasons"], "store restart: ")
			assert.Contains(t, row["invalid_reasons"], "errors: ")
		} else {
			assert.Equal(t, "true", row["valid"], row["invalid_reasons"])
		}
	}
	cluster.requireNothingLeft(ctx, t, run.id)
}

// relabelDisks of all nodes for as long as the test runs.
func (c cluster) relabelDisks(ctx context.Context, t *testing.T, disk string) {
	t.Helper()
	var nodes corev1.NodeList
	require.NoError(t, c.List(ctx, &nodes))
	for i := range nodes.Items {
		node := &nodes.Items[i]
		was, there := node.Labels[v1beta1.LabelDisk]
		c.label(ctx, t, node, func(labels map[string]string) { labels[v1beta1.LabelDisk] = disk })
		t.Cleanup(func() {
			c.label(context.Background(), t, node, func(labels map[string]string) {
				if labels[v1beta1.LabelDisk] = was; !there {
					delete(labels, v1beta1.LabelDisk)
				}
			})
		})
	}
}

func (c cluster) label(ctx context.Context, t *testing.T, node *corev1.Node, change func(map[string]string)) {
	t.Helper()
	before := node.DeepCopy()
	change(node.Labels)
	require.NoError(t, c.Patch(ctx, node, client.MergeFrom(before)))
}
