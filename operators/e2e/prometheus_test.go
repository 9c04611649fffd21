//go:build e2e

package e2e

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"testing"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/metrics"
)

// highest values that the cluster's Prometheus has of a metric of the run, by a label.
func highest(ctx context.Context, t *testing.T, run run, metric, by string) model.Vector {
	t.Helper()
	query := fmt.Sprintf(`max by (%s) (max_over_time(%s{%s=%q}[1h]))`, by, metric, metrics.LabelRun, run.id)
	vector := ask(ctx, t, forwardPrometheus(ctx, t), query)
	require.NotEmpty(t, vector, query)
	return vector
}

// ask puts a query to the Prometheus at the address.
func ask(ctx context.Context, t *testing.T, address, query string) model.Vector {
	t.Helper()
	client, err := api.NewClient(api.Config{Address: address})
	require.NoError(t, err)
	answer, _, _, err := v1.NewAPI(client).Query(ctx, query, time.Now())
	require.NoError(t, err, query)
	vector, _ := answer.(model.Vector)
	return vector
}

// requireScraped checks that the pods of the run's stores had something to tell Prometheus: a target that answers with nothing is up all the
// same.
func requireScraped(ctx context.Context, t *testing.T, run run) {
	t.Helper()
	for _, pod := range highest(ctx, t, run, "scrape_samples_scraped", "pod") {
		if pod.Metric["pod"] != "" { // what runs load has no pod of its own to tell
			assert.Positive(t, float64(pod.Value), "samples of %s", pod.Metric)
		}
	}
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
