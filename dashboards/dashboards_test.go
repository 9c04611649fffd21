package dashboards

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	promql "github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/metrics"
)

func TestTheCommittedJSONIsWhatTheCodeMakes(t *testing.T) {
	made, err := All()
	require.NoError(t, err)
	committed, err := filepath.Glob("../charts/monitoring/dashboards/*.json")
	require.NoError(t, err)
	for _, path := range committed {
		assert.Contains(t, made, filepath.Base(path), "no code makes this dashboard: run make dashboards")
	}
	for name, content := range made {
		onDisk, err := os.ReadFile(filepath.Join("../charts/monitoring/dashboards", name))
		require.NoError(t, err, "run make dashboards")
		assert.Equal(t, string(onDisk), string(content), "%s is not what the code makes: run make dashboards", name)
	}
}

func TestThereIsADashboardForEachQuestion(t *testing.T) {
	titles := map[string]string{}
	for _, d := range loaded(t) {
		titles[d.Title] = d.File
	}
	assert.Equal(t, map[string]string{
		"Experiment": "experiment.json", "Server comparison": "comparison.json", "Store": "store.json", "Cassandra": "cassandra.json", "Thrift server": "thrift-server.json",
		"Stream of trips": "trip-cache.json", "Experiment history": "history.json", "Runs": "runs.json",
	}, titles)
}

// Figures that only one store reports are on that store's own page: every query of the other pages has data for every
// store.
func TestPagesOfEveryStoreAskForNothingThatOnlyOneTells(t *testing.T) {
	made, err := All()
	require.NoError(t, err)
	own := map[string]string{"cassandra.json": "cassandra_", "thrift-server.json": "ringside_thrift_", "trip-cache.json": "ringside_trip_"}
	for name, content := range made {
		for page, prefix := range own {
			assert.Equal(t, name == page, strings.Contains(string(content), prefix), "%s and %s", name, prefix)
		}
	}
}

func TestEveryPanelSaysWhatItShowsAndInWhichUnit(t *testing.T) {
	made, err := All()
	require.NoError(t, err)
	for name, content := range made {
		var d struct {
			Panels []struct {
				Type, Title, Description string
				Targets                  []struct{ Expr string }
				FieldConfig              struct{ Defaults struct{ Unit string } }
			}
		}
		require.NoError(t, yaml.Unmarshal(content, &d))
		titles := map[string]bool{}
		for _, panel := range d.Panels {
			if panel.Type == "row" {
				continue
			}
			assert.NotEmpty(t, panel.Description, "%s: %s", name, panel.Title)
			assert.NotEmpty(t, panel.FieldConfig.Defaults.Unit, "%s: %s", name, panel.Title)
			assert.NotEmpty(t, panel.Targets, "%s: %s", name, panel.Title)
			assert.False(t, titles[panel.Title], "%s: two panels are called %q", name, panel.Title)
			titles[panel.Title] = true
			for _, target := range panel.Targets {
				assert.Equal(t, name != "runs.json", strings.Contains(target.Expr, "$experiment"), "%s: %s", name, panel.Title)
				assert.Equal(t, name != "history.json" && name != "runs.json", strings.Contains(target.Expr, "$run"), "%s: %s", name, panel.Title)
			}
		}
	}
}

// grafanasOwn replaces Grafana's variables, the longer names first.
var grafanasOwn = strings.NewReplacer("$__rate_interval", "20s", "$__range_s", "1800", "$__range", "30m", "$__interval", "5s")

func TestEveryQueryParsesAndNamesOnlyMetricsThatAreServed(t *testing.T) {
	served := servedMetrics(t, "*.go")
	for _, d := range loaded(t) {
		queries := d.queries()
		require.NotEmpty(t, queries, d.File)
		for _, query := range queries {
			for _, metric := range metricsOf(t, grafanasOwn.Replace(query)) {
				assert.True(t, served[metric], "%s: %s asks for %s, which operators/metrics does not name", d.File, query, metric)
			}
		}
		for _, variable := range d.Templating.List {
			if variable.Type != "query" {
				continue
			}
			for _, metric := range metricsOf(t, seriesOf(variable.Query.(string))) {
				assert.True(t, served[metric], "%s: variable %s asks for %s", d.File, variable.Name, metric)
			}
		}
	}
}

// seriesOf returns what a variable queries: label_values(series, label) or query_result(expr).
func seriesOf(query string) string {
	if expr, ok := strings.CutPrefix(query, "query_result("); ok {
		return grafanasOwn.Replace(strings.TrimSuffix(expr, ")"))
	}
	series := strings.TrimPrefix(query, "label_values(")
	return series[:strings.LastIndex(series, ", ")]
}

func TestTheChartsGrafanaIsNewEnough(t *testing.T) {
	content, err := os.ReadFile("../charts/monitoring/values.yaml")
	require.NoError(t, err)
	var values struct {
		Grafana struct{ Image struct{ Tag string } }
	}
	require.NoError(t, yaml.Unmarshal(content, &values))
	charts, err := version.ParseGeneric(values.Grafana.Image.Tag)
	require.NoError(t, err)
	assert.False(t, charts.LessThan(version.MustParseGeneric(Least)), "the dashboards need Grafana %s, the chart runs %s", Least, charts)
}

func TestTheBaselineIsTheDocumentsUnlessAnotherIsChosen(t *testing.T) {
	for _, d := range loaded(t) {
		for _, variable := range d.Templating.List {
			if variable.Name != variableBaseline || d.File == "history.json" {
				continue
			}
			assert.Contains(t, variable.Query, "sort_desc(max by (server) (last_over_time("+metrics.ExperimentBaseline)
			assert.Zero(t, variable.Sort, "Grafana chooses the first value: an order of its own would choose for the document")
			return
		}
	}
	assert.Fail(t, "no dashboard has a baseline")
}

func TestBarsAreSortedAndSplitByOperation(t *testing.T) {
	bars := 0
	for _, d := range loaded(t) {
		row := ""
		for _, panel := range d.Panels {
			if panel.Type == "row" {
				row = panel.Repeat
			}
			if panel.Type != "bargauge" {
				continue
			}
			bars++
			assert.Equal(t, variableOperation, row, panel.Title)
			require.Len(t, panel.Targets, 1, panel.Title)
			assert.Regexp(t, `^sort(_desc)?\(`, panel.Targets[0].Expr, panel.Title)
		}
	}
	assert.Positive(t, bars)
}

func TestPhasesCanBeSwitchedOff(t *testing.T) {
	made, err := All()
	require.NoError(t, err)
	for name, content := range made {
		var d struct {
			Annotations struct {
				List []struct {
					Enable, Hide bool
					Placement    *string
					Expr         string
				}
			}
		}
		require.NoError(t, yaml.Unmarshal(content, &d))
		if name == "history.json" || name == "runs.json" {
			continue
		}
		phases := d.Annotations.List[0]
		assert.False(t, phases.Hide, "%s: a hidden annotation has no switch", name)
		assert.Nil(t, phases.Placement, "%s: the switch is on the dashboard, not in a menu", name)
	}
}

func TestFaultsAreMarkedWhereTheyWereAndNotWhereTheyWereScraped(t *testing.T) {
	made, err := All()
	require.NoError(t, err)
	marked := 0
	for name, content := range made {
		var d struct {
			Annotations struct {
				List []struct {
					Name, Expr, TitleFormat string
					Enable, Hide            bool
					UseValueForTime         bool
				}
			}
		}
		require.NoError(t, yaml.Unmarshal(content, &d))
		for _, annotation := range d.Annotations.List {
			assert.Equal(t, annotation.Name == annotationFaults || annotation.Name == annotationChange, annotation.UseValueForTime, "%s: %s", name, annotation.Name)
			if annotation.Name == annotationFaults {
				marked++
				assert.Equal(t, "experiment.json", name, "the variables of other pages do not choose among loads")
				assert.True(t, annotation.Enable && !annotation.Hide)
				assert.Contains(t, annotation.Expr, metrics.ExperimentFault)
				assert.Equal(t, "{{fault}} of node {{node}}: {{event}}", annotation.TitleFormat)
			}
		}
	}
	assert.Equal(t, 1, marked)
}

func TestRulesNameOnlyMetricsThatAreServedAndAreTheOnesThatOperatorsMetricsNames(t *testing.T) {
	served := servedMetrics(t, "*.go")
	var recorded, alerts []string
	for _, file := range []string{"recording.yaml", "alerts.yaml"} {
		content, err := os.ReadFile(filepath.Join("../charts/monitoring/rules", file))
		require.NoError(t, err)
		var rules struct {
			Groups []struct {
				Rules []struct{ Record, Alert, Expr string }
			}
		}
		require.NoError(t, yaml.Unmarshal(content, &rules))
		for _, group := range rules.Groups {
			for _, rule := range group.Rules {
				for _, metric := range metricsOf(t, rule.Expr) {
					assert.True(t, served[metric], "%s%s asks for %s, which operators/metrics does not name", rule.Record, rule.Alert, metric)
				}
				if rule.Record != "" {
					recorded = append(recorded, rule.Record)
				} else {
					alerts = append(alerts, rule.Alert)
				}
			}
		}
	}
	for name := range served {
		if strings.Contains(name, ":") {
			assert.Contains(t, recorded, name, "no rule records it")
		}
		if strings.HasPrefix(name, "Ringside") {
			assert.Contains(t, alerts, name, "no rule raises it")
		}
	}
}

func TestARunThatEndedOrWaitsByOrderIsNotStuck(t *testing.T) {
	content, err := os.ReadFile("../charts/monitoring/rules/alerts.yaml")
	require.NoError(t, err)
	assert.Contains(t, string(content), metrics.LabelState+`=~"`+strings.Join([]string{
		v1beta1.ReasonFinished, v1beta1.ReasonFailed, v1beta1.ReasonRefused, v1beta1.ReasonSuspended, v1beta1.ReasonQueued,
	}, "|")+`"`)
}

// made is what the tests read of a dashboard's JSON.
type made struct {
	File, Title string
	Tags        []string
	Templating  struct {
		List []struct {
			Name, Type string
			Query      any
			Sort       int
		}
	}
	Panels []struct {
		Title, Type, Repeat string
		Targets             []struct{ Expr string }
		Panels              []any // of a collapsed row
	}
	Annotations struct{ List []struct{ Expr string } }
}

// queries returns the expressions of all panels and annotations.
func (d made) queries() []string {
	var all []string
	for _, panel := range d.Panels {
		for _, target := range panel.Targets {
			all = append(all, target.Expr)
		}
	}
	for _, annotation := range d.Annotations.List {
		all = append(all, annotation.Expr)
	}
	return all
}

func loaded(t *testing.T) []made {
	t.Helper()
	boards, err := All()
	require.NoError(t, err)
	var all []made
	for name, content := range boards {
		d := made{File: name}
		require.NoError(t, yaml.Unmarshal(content, &d))
		for _, panel := range d.Panels {
			require.Empty(t, panel.Panels, "%s: the tests read no panels of collapsed rows", name)
		}
		all = append(all, d)
	}
	return all
}

func metricsOf(t *testing.T, expr string) []string {
	t.Helper()
	parsed, err := promql.NewParser(promql.Options{}).ParseExpr(expr)
	require.NoError(t, err, expr)
	var names []string
	promql.Inspect(parsed, func(node promql.Node, _ []promql.Node) error {
		selector, ok := node.(*promql.VectorSelector)
		if !ok {
			return nil
		}
		for _, matcher := range selector.LabelMatchers {
			if matcher.Name == model.MetricNameLabel {
				names = append(names, matcher.Value)
			}
		}
		return nil
	})
	return names
}

// servedMetrics returns the values of all constants in files of operators/metrics, and the metrics of Prometheus and
// kubelets themselves.
func servedMetrics(t *testing.T, patterns ...string) map[string]bool {
	t.Helper()
	served := map[string]bool{"up": true, "container_cpu_usage_seconds_total": true}
	var files []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join("../operators/metrics", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		files = append(files, found...)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(node ast.Node) bool {
			if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				value, err := strconv.Unquote(literal.Value)
				require.NoError(t, err)
				served[value] = true
			}
			return true
		})
	}
	return served
}

func TestRatiosAreTakenAgainstTheBaselineInTheSameOperation(t *testing.T) {
	expr := toBaseline(sumBy(highest(ofLoad("ops")), perServer...))
	assert.Equal(t, `(sum by (server, operation) (max_over_time(ops{experiment="$experiment", run="$run", server=~"$server", operation=~"$operation", round=~"$round"}[$__range])))`+
		` / on (operation) group_left () (sum by (operation) (sum by (server, operation) (max_over_time(ops{experiment="$experiment", run="$run", server="$baseline", operation=~"$operation", round=~"$round"}[$__range]))))`, expr)
}
