//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// requireDashboardsShow asks the cluster's Prometheus every query of every dashboard for the run: none may fail or be empty, and its
// figures must be those of the measurements.
func requireDashboardsShow(ctx context.Context, t *testing.T, experiment string, run run, measurements []v1alpha1.Measurement) {
	t.Helper()
	list, err := json.Marshal(v1alpha1.MeasurementList{Items: measurements})
	require.NoError(t, err)
	evaluate := exec.CommandContext(ctx, "go", "run", "./dashboards/cmd/evaluate",
		"--url", forwardPrometheus(ctx, t), "--experiment", experiment, "--run", run.id, "--measurements", "-")
	evaluate.Dir = root
	evaluate.Stdin = bytes.NewReader(list)
	out, err := evaluate.CombinedOutput()
	t.Logf("%s", out)
	require.NoError(t, err, "every query of every dashboard answers, with the figures of the measurements")
}

var forwarded = regexp.MustCompile(`Forwarding from (127\.0\.0\.1:\d+)`)

// forwardPrometheus opens a port on 127.0.0.1 for as long as the test runs, and returns its address.
func forwardPrometheus(ctx context.Context, t *testing.T) string {
	t.Helper()
	forward := exec.CommandContext(ctx, program(t, "kube/kubectl"),
		"--namespace", "ringside-monitoring", "port-forward", "svc/monitoring-prometheus", ":9090")
	out, err := forward.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, forward.Start())
	t.Cleanup(func() {
		_ = forward.Process.Kill()
		_ = forward.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if match := forwarded.FindStringSubmatch(lines.Text()); match != nil {
			return "http://" + match[1]
		}
	}
	require.FailNow(t, "kubectl port-forward ended before it forwarded")
	return ""
}
