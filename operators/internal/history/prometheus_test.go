package history

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listening matches the line of Prometheus's log that has its address.
var listening = regexp.MustCompile(`msg="Listening on" .*address=(\S+)`)

// prometheus runs a Prometheus that accepts remote write, and returns its address.
func prometheus(t *testing.T, config string) string {
	t.Helper()
	program := os.Getenv("PROMETHEUS")
	if program == "" {
		program = "../../../../build/images/prometheus/root/usr/bin/prometheus"
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("left out: there is no Prometheus; images/prometheus/stage.sh leaves one in build/images, or name one in PROMETHEUS")
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "prometheus.yml")
	require.NoError(t, os.WriteFile(file, []byte(config), 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	command := exec.CommandContext(ctx, program, "--config.file="+file, "--storage.tsdb.path="+filepath.Join(folder, "data"), "--web.listen-address=127.0.0.1:0",
		"--web.enable-remote-write-receiver", "--storage.tsdb.retention.time=10y")
	log, err := command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() { cancel(); _ = command.Wait() })
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			go func() { // or it waits for a reader
				for lines.Scan() {
				}
			}()
			address := "http://" + found[1]
			require.Eventually(t, func() bool { return get(t, address+"/-/ready", nil) == http.StatusOK }, 30*time.Second, 100*time.Millisecond)
			return address
		}
	}
	require.Fail(t, "Prometheus ended before it listened")
	return ""
}

func get(t *testing.T, address string, into any) int {
	t.Helper()
	response, err := http.Get(address)
	require.NoError(t, err)
	defer response.Body.Close()
	if into != nil {
		require.NoError(t, json.NewDecoder(response.Body).Decode(into))
	}
	return response.StatusCode
}

// values returns the samples of a metric that Prometheus has.
func values(t *testing.T, address, metric string) [][2]any {
	t.Helper()
	var answer struct {
		Data struct{ Result []struct{ Values [][2]any } }
	}
	get(t, address+"/api/v1/query?query="+url.QueryEscape(metric+"[400d]"), &answer)
	require.Len(t, answer.Data.Result, 1)
	return answer.Data.Result[0].Values
}

func nights(metric string, from time.Time, n int, value float64) MetricSeries {
	s := MetricSeries{Metric: metric, Labels: map[string]string{"experiment": "nightly"}}
	for i := range n {
		s.Samples = append(s.Samples, Sample{At: from.AddDate(0, 0, i), Value: value + float64(i)})
	}
	return s
}

func TestPrometheusStoresOldSamplesOnceIfItsWindowIsLongEnough(t *testing.T) {
	address := prometheus(t, "{global: {scrape_interval: 1s}, storage: {tsdb: {out_of_order_time_window: 400d}}, scrape_configs: [{job_name: itself, static_configs: [{targets: [localhost:9]}]}]}")
	require.Eventually(t, func() bool { return up(t, address) }, 30*time.Second, 100*time.Millisecond, "its own samples are newer than ours")
	from := time.Now().AddDate(0, 0, -300).Truncate(time.Second)
	all := []MetricSeries{nights("a", from, 299, 1), nights("b", from, 299, 2)}
	require.NoError(t, Push(t.Context(), address+"/api/v1/write", "", all))
	require.NoError(t, Push(t.Context(), address+"/api/v1/write", "", all), "the next night sends the same again")
	found := values(t, address, "a")
	require.Len(t, found, 299)
	assert.Equal(t, [2]any{float64(from.Unix()), "1"}, found[0])
	late := nights("late", from.AddDate(0, 0, -150), 1, 1)
	require.ErrorContains(t, Push(t.Context(), address+"/api/v1/write", "", []MetricSeries{late}), "let the server accept samples as old as the oldest run")
}

func TestPrometheusRejectsOldSamplesByDefault(t *testing.T) {
	address := prometheus(t, "{global: {scrape_interval: 1s}, scrape_configs: [{job_name: itself, static_configs: [{targets: [localhost:9]}]}]}")
	require.Eventually(t, func() bool { return up(t, address) }, 30*time.Second, 100*time.Millisecond)
	err := Push(t.Context(), address+"/api/v1/write", "", []MetricSeries{nights("a", time.Now().AddDate(0, 0, -2), 1, 1)})
	require.ErrorContains(t, err, "let the server accept samples as old as the oldest run")
}

// up reports whether Prometheus has samples of now.
func up(t *testing.T, address string) bool {
	t.Helper()
	var answer struct{ Data struct{ Result []any } }
	get(t, address+"/api/v1/query?query=up", &answer)
	return len(answer.Data.Result) > 0
}
