package dashboards

import (
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
