package history

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
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

const (
	coverageRuns = 24
	coverageAt   = 12
	spread       = 0.01
)

// covered simulates series with a change of so many standard deviations in their middle. Of those in which one change is found, it returns
// how many there are, in how many the interval contains the change that was planted, and in how many it contains 1.
func covered(rng *rand.Rand, series int, deviations float64) (found, contains, equal int) {
	for range series {
		s := Series{Metric: compare.Metric{Name: "op_rate", HigherIsBetter: true}}
		for run, value := range normal(rng, coverageRuns, spread) {
			if run >= coverageAt {
				value -= deviations * spread
			}
			s.Points = append(s.Points, Point{Run: run, Value: math.Exp(value)})
		}
		s.find(level)
		if len(s.Changes) != 1 {
			continue
		}
		found++
		c := &s.Changes[0]
		if truth := math.Exp(-deviations * spread); c.Low <= truth && truth <= c.High {
			contains++
		}
		if c.Low <= 1 && 1 <= c.High {
			equal++
		}
	}
	return found, contains, equal
}

// The place of a change is chosen where the parts differ most, and only a change that is significant has an interval. Both let it look larger
// than it is, the more the smaller it is. The guide has the figures.
func TestTheGuideStatesHowOftenIntervalsContainTheChange(t *testing.T) {
	series := 300
	if testing.Short() {
		series = 100
	}
	rows := regexp.MustCompile(`(?m)^\| (\d+(?:\.\d+)?) \| (\d+)% \| (\d+)% \|$`).FindAllStringSubmatch(guide(t), -1)
	require.Len(t, rows, 4)
	rng := rand.New(rand.NewPCG(7, 7))
	for _, row := range rows {
		deviations, err := strconv.ParseFloat(row[1], 64)
		require.NoError(t, err)
		found, contains, _ := covered(rng, series, deviations)
		t.Logf("%g standard deviations: found in %d of %d, contained in %d of these", deviations, found, series, contains)
		for i, got := range []struct{ n, of int }{{found, series}, {contains, found}} {
			stated, err := strconv.ParseFloat(row[2+i], 64)
			require.NoError(t, err)
			share := stated / 100
			require.NotZero(t, got.of)
			allowed := 3*math.Sqrt(share*(1-share)/float64(got.of)) + 0.01
			assert.InDelta(t, share, float64(got.n)/float64(got.of), allowed, "%g standard deviations, column %d", deviations, 2+i)
		}
	}
}

func TestAFalseChangeLooksLikeARealOne(t *testing.T) {
	found, _, equal := covered(rand.New(rand.NewPCG(8, 8)), 1500, 0)
	t.Logf("%d changes in 1500 series of equal runs, and %d of their intervals contain 1", found, equal)
	require.Positive(t, found)
	assert.LessOrEqual(t, float64(found), 1500*level+3*math.Sqrt(1500*level), "the level bounds them, not the interval")
}

// Steps are found one by one, each below the threshold of 3%, and the latest runs are compared with those before all of them. Without a change, and
// after one that was undone, this adds no alarm to those that the level allows.
func TestCreepingRegressionsAreFoundWithoutMoreFalseAlarms(t *testing.T) {
	const share = 0.03
	for _, test := range []struct {
		name          string
		steps         []float64
		series        int
		least, atMost float64
		threshold     float64
	}{
		{"four steps of 2.5%", []float64{0, -0.025, -0.05, -0.075, -0.1}, 30, 0.95, 1, share},
		{"no change", []float64{0, 0}, 600, 0, level, 0},
		{"undone", []float64{0, -0.1, 0}, 60, 0, level, share},
	} {
		rng, alarms := rand.New(rand.NewPCG(9, 9)), 0
		for range test.series {
			s := Series{Metric: compare.Metric{HigherIsBetter: true}}
			for _, step := range test.steps {
				for _, value := range normal(rng, 12, spread) {
					s.Points = append(s.Points, Point{Run: len(s.Points), Value: math.Exp(step + value)})
				}
			}
			s.find(level)
			if slices.ContainsFunc(s.Changes, func(c Change) bool { return s.Stands(&c, ratio.Slower, test.threshold) }) {
				alarms++
			}
		}
		t.Logf("%s: %d alarms in %d series", test.name, alarms, test.series)
		n := float64(test.series)
		assert.GreaterOrEqual(t, float64(alarms), test.least*n, test.name)
		assert.LessOrEqual(t, float64(alarms), test.atMost*n+3*math.Sqrt(n*test.atMost*(1-test.atMost)), test.name)
	}
}

func guide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/guides/history.md")
	require.NoError(t, err)
	return string(text)
}
