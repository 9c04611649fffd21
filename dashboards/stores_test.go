package dashboards

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/dashboards/tags"
	"ringside.dev/ringside/operators/metrics"
)

// Every query has data for every store of its page: it selects only figures that Ringside or that store's nodes report.
func TestEveryQueryOfAPageHasDataOfEveryStoreThatThePageIsFor(t *testing.T) {
	stores := storeCharts(t)
	require.Contains(t, stores, "udp-echo")
	ours := servedMetrics(t, "load.go", "experiment.go", "rules.go", "history.go")
	for _, d := range loaded(t) {
		assert.Subset(t, stores, tags.Stores(d.Tags), d.File)
		for _, store := range stores {
			if !tags.For(d.Tags, store) {
				continue
			}
			told := reportedBy(t, store)
			for _, query := range d.queries() {
				for _, metric := range metricsOf(t, grafanasOwn.Replace(query)) {
					assert.True(t, ours[metric] || told[metric], "%s: %s asks for %s, which nobody tells of %s", d.File, query, metric, store)
				}
			}
		}
	}
}

func storeCharts(t *testing.T) []string {
	t.Helper()
	charts, err := filepath.Glob("../charts/*/Chart.yaml")
	require.NoError(t, err)
	var stores []string
	for _, path := range charts {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		var chart struct{ Annotations map[string]string }
		require.NoError(t, yaml.Unmarshal(content, &chart))
		if chart.Annotations["ringside.dev/kind"] == "store" {
			stores = append(stores, filepath.Base(filepath.Dir(path)))
		}
	}
	return stores
}

// inJava matches a metric's name in the code of an image.
var inJava = regexp.MustCompile(`"(ringside_[a-z_]+)"`)

// reportedBy returns the metrics of a store's nodes: those of the rules of its JMX exporter, or of its image's own
// code; and those of any JVM, which a test of the store kit compares with those that are really reported.
func reportedBy(t *testing.T, store string) map[string]bool {
	t.Helper()
	told := map[string]bool{}
	jvm, err := os.ReadFile("../images/store-kit/jvm-metrics.txt")
	require.NoError(t, err)
	for name := range strings.FieldsSeq(string(jvm)) {
		told[name] = true
	}
	if rules := exporterOf(t, store); rules != "" {
		var exporter struct{ Rules []struct{ Name string } }
		require.NoError(t, yaml.Unmarshal([]byte(rules), &exporter))
		for _, rule := range exporter.Rules {
			told[rule.Name] = true
		}
		return told
	}
	require.NoError(t, filepath.WalkDir(filepath.Join("../images", store, "src/main"), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		code, err := os.ReadFile(path)
		for _, match := range inJava.FindAllSubmatch(code, -1) {
			told[string(match[1])] = true
		}
		return err
	}))
	return told
}

// exporterOf returns the configuration of the JMX exporter that a store's chart renders; empty if it has none.
func exporterOf(t *testing.T, store string) string {
	t.Helper()
	chart, err := loader.LoadDir(filepath.Join("../charts", store))
	require.NoError(t, err)
	values, err := util.ToRenderValues(chart, nil, common.ReleaseOptions{Name: store}, common.DefaultCapabilities)
	require.NoError(t, err)
	files, err := engine.Render(chart, values)
	require.NoError(t, err)
	var found struct{ Data map[string]string }
	require.NoError(t, yaml.Unmarshal([]byte(strings.TrimPrefix(strings.TrimSpace(files[store+"/templates/configmap.yaml"]), "---\n")), &found))
	return found.Data["jmx.yaml"]
}

const day = 24 * 60 * 60

// inHistory returns a series of the history under test.
func inHistory(metric, server, load, more, samples string) series {
	return series{Series: fmt.Sprintf(`%s{experiment="e", baseline="hsha", server=%q, load=%q, metric="op_rate", first_run="r0"%s}`, metric, server, load, more), Values: samples}
}

func change(metric, server, load, run, samples string) series {
	return inHistory(metric, server, load, fmt.Sprintf(`, is="slower", run=%q`, run), samples)
}

// A sample a day is far apart from the next for Prometheus, which looks back 5 minutes.
func TestEachRunIsAPointOfItsOwnStep(t *testing.T) {
	evaluatedOver(t, "1d", "4d", []series{
		inHistory(metrics.HistoryComparison, "disruptor", "read", `, kind="ratio"`, "1 1.1 _ _ 0.9"),
		inHistory(metrics.HistoryComparison, "xedin", "read", `, kind="ratio"`, "1 1.1 1.2 _ _"),
		inHistory(metrics.HistoryComparison, "disruptor", "write", `, kind="ratio"`, "1x4"),
	}, map[string][]expected{
		inRun(ofSeries(metrics.HistoryComparison)): {
			{metrics.HistoryComparison + `{experiment="e", baseline="hsha", server="disruptor", load="read", metric="op_rate", first_run="r0", kind="ratio"}`, 0.9},
		},
	})
}

// Prometheus keeps the samples of a history that had another change, or none any more.
func TestOnlyChangesOfTheLatestHistoryAreShown(t *testing.T) {
	run := series{Series: metrics.HistoryRun + `{experiment="e"}`, Values: fmt.Sprintf("0+%dx4", day)}
	of := func(server, load, run string) string {
		return fmt.Sprintf(`{is="slower", load=%q, metric="op_rate", run=%q, server=%q}`, load, run, server)
	}
	evaluatedOver(t, "1d", "4d", []series{
		run,
		{Series: metrics.HistoryRun + `{experiment="other"}`, Values: "0x3 999999"},
		// The change at r1 was found on days 2 and 3, and moved to r2 on day 4.
		change(metrics.HistoryChangeTime, "disruptor", "read", "r1", fmt.Sprintf("_ _ %d %d _", day, day)),
		change(metrics.HistoryChangeSeen, "disruptor", "read", "r1", fmt.Sprintf("_ _ %d %d _", 2*day, 3*day)),
		change(metrics.HistoryChangeTime, "disruptor", "read", "r2", fmt.Sprintf("_ _ _ _ %d", 2*day)),
		change(metrics.HistoryChangeSeen, "disruptor", "read", "r2", fmt.Sprintf("_ _ _ _ %d", 4*day)),
		change(metrics.HistoryChange, "disruptor", "read", "r2", "_ _ _ _ 0.95"),
		// The change of another load is in the table and marks no graph of this load.
		change(metrics.HistoryChangeTime, "xedin", "write", "r1", fmt.Sprintf("_ _ %d %d %d", day, day, day)),
		change(metrics.HistoryChangeSeen, "xedin", "write", "r1", fmt.Sprintf("_ _ %d %d %d", 2*day, 3*day, 4*day)),
	}, map[string][]expected{
		changeTimes(): {{of("disruptor", "read", "r2"), 2 * day * 1000}},
		maxBy(ofLatest(metrics.HistoryChangeTime), perChange...): {{of("disruptor", "read", "r2"), 2 * day}, {of("xedin", "write", "r1"), day}},
		"count(" + ofLatest(metrics.HistoryChange) + ")":         {{"{}", 1}},
	})
}

func TestJudgedMetricsAreFirst(t *testing.T) {
	judged := func(metric, samples string) series {
		return series{Series: fmt.Sprintf(`%s{experiment="e", baseline="hsha", server="xedin", load="read", metric=%q, first_run="r0"}`, metrics.HistoryJudged, metric), Values: samples}
	}
	evaluatedOver(t, "1d", "4d", []series{judged("op_rate", "1x4"), judged("latency_p99_ms", "0x4")}, map[string][]expected{
		judgedFirst(): {{`{metric="op_rate"}`, 1}, {`{metric="latency_p99_ms"}`, 0}},
	})
}
