package dashboards

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	promql "github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/metrics"
)

// scrape has the scrape intervals of the monitoring chart.
type scrape struct {
	Scrape      struct{ Load, Store, Operator string }
	NodeMetrics struct{ Interval string }
}

// of returns the time between two samples of a metric.
func (s scrape) of(t *testing.T, metric string) time.Duration {
	t.Helper()
	switch {
	case strings.HasPrefix(metric, "container_"):
		return duration(t, s.NodeMetrics.Interval)
	case strings.HasPrefix(metric, "ringside_experiment_"):
		return duration(t, s.Scrape.Operator)
	case strings.HasPrefix(metric, "ringside_load_"):
		return duration(t, s.Scrape.Load)
	case strings.Contains(metric, ":"):
		return duration(t, stepRules)
	}
	return duration(t, s.Scrape.Store)
}

func duration(t *testing.T, text string) time.Duration {
	t.Helper()
	d, err := model.ParseDuration(text)
	require.NoError(t, err)
	return time.Duration(d)
}

// scrapes returns the scrape intervals that profiles set, and the name of one profile for each.
func scrapes(t *testing.T) map[scrape]string {
	t.Helper()
	profiles, err := filepath.Glob("../charts/profiles/*.yaml")
	require.NoError(t, err)
	all := map[scrape]string{}
	for _, profile := range append(profiles, "../cluster/experiment-profile.yaml") {
		var values struct{ Installation struct{ Monitoring scrape } }
		for _, file := range []struct {
			name string
			into any
		}{{"../charts/monitoring/values.yaml", &values.Installation.Monitoring}, {profile, &values}} {
			content, err := os.ReadFile(file.name)
			require.NoError(t, err)
			require.NoError(t, yaml.Unmarshal(content, file.into))
		}
		all[values.Installation.Monitoring] = filepath.Base(profile)
	}
	require.Contains(t, slices.Collect(maps.Values(all)), "experiment-profile.yaml", "it has intervals of its own")
	return all
}

// sampled returns a series for each selector of an expression, which grows with each scrape. No scrape is at a step of a graph.
func sampled(t *testing.T, expr string, every func(metric string) time.Duration, length time.Duration) []series {
	t.Helper()
	parsed, err := promql.NewParser(promql.Options{}).ParseExpr(expr)
	require.NoError(t, err, expr)
	const other = "x-0" // the value of labels that the expression does not fix
	joined := map[string]string{}
	var selectors []*promql.VectorSelector
	promql.Inspect(parsed, func(node promql.Node, _ []promql.Node) error {
		var names []string
		switch node := node.(type) {
		case *promql.VectorSelector:
			selectors = append(selectors, node)
		case *promql.AggregateExpr:
			names = node.Grouping
		case *promql.BinaryExpr:
			if node.VectorMatching != nil {
				names = node.VectorMatching.MatchingLabels
			}
		}
		for _, name := range names {
			joined[name] = other
		}
		return nil
	})
	all := map[string]string{}
	for _, selector := range selectors {
		own := maps.Clone(joined)
		for _, matcher := range selector.LabelMatchers {
			if own[matcher.Name] = other; matcher.Type == labels.MatchEqual {
				own[matcher.Name] = matcher.Value
			}
		}
		gap := every(selector.Name)
		between, values := fmt.Sprintf(" _x%d ", int(gap.Seconds())-1), []string{fmt.Sprintf("_x%.0f", 0.7*gap.Seconds())}
		if gap <= time.Second {
			between, values = " ", nil
		}
		for n := range int(length / gap) {
			value := fmt.Sprint(n + 1)
			if selector.Name == metrics.LoadLatency {
				value = fmt.Sprintf("{{schema:0 sum:%[1]d count:%[1]d buckets:[%[1]d]}}", n+1)
			}
			values = append(values, value)
		}
		own[model.MetricNameLabel] = selector.Name
		all[labels.FromMap(own).String()] = strings.TrimSpace(values[0] + " " + strings.Join(values[1:], between))
	}
	var made []series
	for _, name := range slices.Sorted(maps.Keys(all)) {
		made = append(made, series{name, all[name]})
	}
	return made
}

// A point without a neighbour is no line, and a graph of such points is empty.
func TestGraphsOfARunAreLinesAtTheScrapeIntervalsOfEveryProfile(t *testing.T) {
	made, err := All()
	require.NoError(t, err)
	for intervals, profile := range scrapes(t) {
		for name, content := range made {
			if name == "history.json" || name == "runs.json" {
				continue // no graph, or a point for each run at the time of the run
			}
			t.Run(profile+"/"+name, func(t *testing.T) {
				var d struct {
					Panels []struct {
						Type    string
						Targets []struct{ Expr, Interval string }
					}
				}
				require.NoError(t, json.Unmarshal(content, &d))
				var graphs []group
				for _, panel := range d.Panels {
					if panel.Type == "timeseries" || panel.Type == "heatmap" || panel.Type == "state-timeline" {
						for _, target := range panel.Targets {
							graphs = append(graphs, lineOf(t, intervals, target.Expr, target.Interval))
						}
					}
				}
				require.NotEmpty(t, graphs)
				promtool(t, graphs...)
			})
		}
	}
}

// lineOf evaluates a query at every step of a graph, as Grafana does with a data source of the chart.
func lineOf(t *testing.T, intervals scrape, expr, least string) group {
	t.Helper()
	const length = 10 * time.Minute
	shortest := duration(t, cmp.Or(least, intervals.Scrape.Store)) // else timeInterval of the data source
	step := max(shortest, 2*time.Second)                           // a graph of 300 points
	window := max(step+shortest, 4*shortest)
	expr = chosen(length.String(), step.String(), window.String(), ".+").Replace(expr)
	input := sampled(t, expr, func(metric string) time.Duration { return intervals.of(t, metric) }, length)
	return group{"1s", input, []question{{
		fmt.Sprintf("count_over_time((count(%s))[10m:%s]) > bool %d", expr, step, int(length/step)*8/10), "10m", []expected{{"{}", 1}},
	}}}
}
