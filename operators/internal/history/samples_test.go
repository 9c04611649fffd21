package history

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/history/planted"
	"ringside.dev/ringside/operators/metrics"
)

// exported returns the samples of planted runs.
func exported(t *testing.T, p planted.Plan) []MetricSeries {
	t.Helper()
	runs, err := planted.Runs(t.TempDir(), p)
	require.NoError(t, err)
	nights := nightsOf(runs, Options{})
	h, err := Of(nights, Options{})
	require.NoError(t, err)
	figures, err := h.Absolute(nights, nil)
	require.NoError(t, err)
	return h.Samples(figures)
}

// ofMetric returns the series of a metric that have all labels.
func ofMetric(all []MetricSeries, metric string, labels map[string]string) []MetricSeries {
	return slices.DeleteFunc(slices.Clone(all), func(s MetricSeries) bool {
		for name, value := range labels {
			if s.Labels[name] != value {
				return true
			}
		}
		return s.Metric != metric
	})
}

func TestSamplesHaveTheFiguresAtTheTimesOfTheirRuns(t *testing.T) {
	all := exported(t, planted.Plan{Runs: 20, Seed: 1, Slow: 13, Share: 0.05})
	found := ofMetric(all, metrics.HistoryComparison, map[string]string{metrics.LabelServer: "disruptor", metrics.LabelMetric: "op_rate"})
	require.Len(t, found, 1)
	assert.Equal(t, map[string]string{"experiment": "nightly", "baseline": "hsha", "server": "disruptor", "load": "read", "metric": "op_rate", "kind": "ratio",
		"first_run": planted.Run(1)}, found[0].Labels)
	require.Len(t, found[0].Samples, 20)
	assert.Equal(t, "2026-11-20T01:00:00Z", found[0].Samples[19].At.UTC().Format("2006-01-02T15:04:05Z"))
	low := ofMetric(all, metrics.HistoryComparisonLow, found[0].Labels)[0].Samples[19].Value
	high := ofMetric(all, metrics.HistoryComparisonHigh, found[0].Labels)[0].Samples[19].Value
	assert.Less(t, low, found[0].Samples[19].Value)
	assert.Greater(t, high, found[0].Samples[19].Value)
	assert.Len(t, ofMetric(all, metrics.HistoryFigure, map[string]string{metrics.LabelServer: "hsha", metrics.LabelMetric: "op_rate"}), 1, "the baseline's own")
	for i := range all {
		assert.True(t, slices.IsSortedFunc(all[i].Samples, func(a, b Sample) int { return a.At.Compare(b.At) }), all[i].Metric)
	}
}

// A later history may not have the change any more, and samples cannot be changed.
func TestChangesAreAtTheTimeOfTheLatestRun(t *testing.T) {
	all := exported(t, planted.Plan{Runs: 20, Seed: 1, Slow: 13, Share: 0.05})
	found := ofMetric(all, metrics.HistoryChange, nil)
	require.Len(t, found, 1)
	assert.Equal(t, "slower", found[0].Labels[metrics.LabelIs])
	assert.Equal(t, planted.Run(13), found[0].Labels[metrics.LabelRun])
	assert.InDelta(t, 0.95, found[0].Samples[0].Value, 0.01)
	runs := ofMetric(all, metrics.HistoryRun, nil)[0].Samples
	for metric, run := range map[string]int{metrics.HistoryChangeTime: 13, metrics.HistoryChangeSeen: 20} {
		samples := ofMetric(all, metric, nil)[0].Samples
		require.Len(t, samples, 1)
		assert.Equal(t, runs[19].At, samples[0].At)
		assert.Equal(t, runs[run-1].Value, samples[0].Value, metric)
	}
	judged := map[float64]int{}
	for _, s := range ofMetric(all, metrics.HistoryJudged, nil) {
		judged[s.Samples[0].Value]++
	}
	assert.Equal(t, 2, judged[1], "op rate of two servers")
	assert.Positive(t, judged[0])
}

// Lines of runs that did not measure the same must not join.
func TestRunsThatAreNotComparableAreOtherSeries(t *testing.T) {
	all := exported(t, planted.Plan{Runs: 4, Seed: 1, Edit: func(run int, _ *v1beta1.Experiment, m *v1beta1.Measurement) {
		if m != nil && run == 3 {
			m.Spec.Operations = 120
		}
	}})
	runs := map[string]int{}
	for _, s := range ofMetric(all, metrics.HistoryComparison, map[string]string{metrics.LabelServer: "xedin", metrics.LabelMetric: "op_rate"}) {
		runs[s.Labels[metrics.LabelFirstRun]] = len(s.Samples)
	}
	assert.Equal(t, map[string]int{planted.Run(1): 3, planted.Run(3): 1}, runs)
}

func TestEveryExportedMetricAndLabelIsDescribed(t *testing.T) {
	described := map[string][]string{}
	for _, m := range metrics.History() {
		described[m.Name] = m.Labels
	}
	seen := map[string]bool{}
	for _, s := range exported(t, planted.Plan{Runs: 20, Seed: 1, Slow: 13, Share: 0.05}) {
		seen[s.Metric] = true
		var labels []string
		for name := range s.Labels {
			labels = append(labels, name)
		}
		assert.ElementsMatch(t, described[s.Metric], labels, s.Metric)
	}
	assert.Len(t, seen, len(described))
}

func TestOpenMetricsEscapesLabels(t *testing.T) {
	var text strings.Builder
	require.NoError(t, WriteOpenMetrics(&text, []MetricSeries{{Metric: metrics.HistoryRun, Labels: map[string]string{"b": "1", "a": "\"\\\n"},
		Samples: []Sample{{Value: 0.5}}}}))
	assert.Contains(t, text.String(), "# TYPE ringside_history_run_timestamp_seconds gauge\n")
	assert.Contains(t, text.String(), `ringside_history_run_timestamp_seconds{a="\"\\\n",b="1"} 0.5 -62135596800`+"\n# EOF\n")
}

// The blocks that promtool writes hold every sample.
func TestPromtoolImportsTheHistory(t *testing.T) {
	promtool := os.Getenv("PROMTOOL")
	if promtool == "" {
		promtool = "../../../build/bin/promtool"
	}
	if _, err := os.Stat(promtool); err != nil {
		t.Skip("left out: there is no promtool; run make $PWD/build/bin/promtool, or name one in PROMTOOL")
	}
	all := exported(t, planted.Plan{Runs: 20, Seed: 1, Slow: 13, Share: 0.05})
	folder := t.TempDir()
	file, blocks := filepath.Join(folder, "history.om"), filepath.Join(folder, "data")
	var text bytes.Buffer
	require.NoError(t, WriteOpenMetrics(&text, all))
	require.NoError(t, os.WriteFile(file, text.Bytes(), 0o600))
	output, err := exec.Command(promtool, "tsdb", "create-blocks-from", "openmetrics", file, blocks).CombinedOutput()
	require.NoError(t, err, "%s", output)
	require.NoError(t, os.MkdirAll(filepath.Join(blocks, "wal"), 0o755)) // dump expects the whole folder of a Prometheus
	dump, err := exec.Command(promtool, "tsdb", "dump-openmetrics", blocks).CombinedOutput()
	require.NoError(t, err, "%s", dump)
	lines := func(text string) (samples []string) {
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "#") {
				samples = append(samples, strings.ReplaceAll(line, ",", ", "))
			}
		}
		return samples
	}
	want := 0
	for i := range all {
		want += len(all[i].Samples)
	}
	assert.Len(t, lines(text.String()), want)
	assert.Len(t, lines(string(dump)), want)
}
