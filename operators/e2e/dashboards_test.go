//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// requireDashboardsShow asks the cluster's Prometheus every query of every dashboard of the run's store: none may fail or be empty, and its
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
