package dashboards

import (
	"fmt"
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"

	"ringside.dev/ringside/operators/metrics"
)

// noHistory is the text of panels without a history.
const noHistory = "No run of the history in the time range: ringside history --push sends it"

// Units of points in time, in milliseconds.
const (
	unitAgo  = "dateTimeFromNow"
	unitDate = "dateTimeAsIso"
)

// history shows all runs of an experiment over time.
func history() *dashboard.DashboardBuilder {
	const sinceFirst = ". Runs that did not measure the same are another line: since is its first run."
	return blank("Experiment history", "ringside-history",
		"All runs of an experiment over time, as ringside history exports them, and the runs from which on a server is faster or slower.", historyVariables()).
		Time("now-90d", "now").
		Annotation(mark(annotationChange, strong, changeTimes())).
		WithPanel(figure(head{
			title: "Latest run", unit: unitAgo, width: third, step: stepRun, without: noHistory,
			description: "When the latest run of the history began.",
		}, query{"1000 * " + maxBy(latest(ofHistory(metrics.HistoryRun))), "latest run"}).TextMode(common.BigValueTextModeValue)).
		WithPanel(figure(head{
			title: "Runs", unit: unitCount, width: third, step: stepRun, without: noHistory,
			description: "Number of runs in the time range.",
		}, query{fmt.Sprintf("sum(count_over_time(%s[$__range]))", ofHistory(metrics.HistoryRun)), "runs"}).TextMode(common.BigValueTextModeValue)).
		WithPanel(figure(head{
			title: "Changes found", unit: unitCount, width: third, step: stepRun, without: noHistory,
			description: "Judged changes of the selected servers in all loads and metrics, as of the latest run in the time range.",
		}, query{fmt.Sprintf("count(%s) or vector(0)", ofLatest(metrics.HistoryChange)), "changes"}).TextMode(common.BigValueTextModeValue)).
		WithRow(dashboard.NewRowBuilder("$" + variableMetric + " of $" + variableLoad)).
		WithPanel(runs(head{
			title: "Compared with $baseline", unit: unitTimes, width: full, step: stepRun, without: noHistory,
			description: "Ratio to the baseline in the same run, or difference for metrics that are compared by differences. Vertical lines are changes" + sinceFirst,
		}, query{inRun(ofSeries(metrics.HistoryComparison)), perSeriesLegend})).
		WithPanel(runs(head{
			title: "Figures", unit: unitCount, width: full, step: stepRun, without: noHistory,
			description: "The figures themselves, in the unit of the metric in the CSV. Changes of the machine are in them" + sinceFirst,
		}, query{inRun(ofFigures(metrics.HistoryFigure)), perSeriesLegend})).
		WithRow(dashboard.NewRowBuilder("95% intervals")).
		WithPanel(runs(head{
			title: "$server compared with $baseline", unit: unitTimes, width: half, step: stepRun, without: noHistory,
			description: "Comparison of each run, with its 95% interval as dashed lines" + sinceFirst,
		},
			query{inRun(ofSeries(metrics.HistoryComparison)), "since {{first_run}}"},
			query{inRun(ofSeries(metrics.HistoryComparisonLow)), "low, since {{first_run}}"},
			query{inRun(ofSeries(metrics.HistoryComparisonHigh)), "high, since {{first_run}}"},
		).
			OverrideByRegexp("/^(low|high), /", []dashboard.DynamicConfigValue{
				{Id: "custom.lineStyle", Value: map[string]any{"fill": "dash", "dash": []int{4, 4}}},
				{Id: "custom.showPoints", Value: "never"},
				{Id: "custom.fillOpacity", Value: 0},
			}).
			Repeat(variableServer).RepeatDirection(dashboard.PanelRepeatDirectionH).MaxPerRow(2)).
		WithRow(dashboard.NewRowBuilder("Changes")).
		WithPanel(figures(head{
			title: "Changes of all loads and metrics", unit: unitTimes, width: full, step: stepRun, without: "No change found",
			description: "As of the latest run in the time range. The size is the ratio of the figures since the change to those before it, or their difference.",
		},
			column{"First run", unitDate, "1000 * " + maxBy(ofLatest(metrics.HistoryChangeTime), perChange...)},
			column{"Size", unitTimes, maxBy(ofLatest(metrics.HistoryChange), perChange...)},
		))
}

const perSeriesLegend = "{{server}} since {{first_run}}"

var perChange = []string{metrics.LabelServer, metrics.LabelLoad, metrics.LabelMetric, metrics.LabelIs, metrics.LabelRun}

// runs returns a panel with a point for each run. Nothing is measured between runs, so lines only lead the eye.
func runs(h head, queries ...query) *timeseries.PanelBuilder {
	return line(h, queries...).
		ShowPoints(common.VisibilityModeAlways).PointSize(5).
		SpanNulls(common.BoolOrFloat64{Bool: cog.ToPtr(true)}).
		FillOpacity(0)
}

// historyVariables returns the variables that select series of a history: the experiment, a metric that is judged, and one load.
func historyVariables() []variable {
	compared := ofHistory(metrics.HistoryComparison)
	judged := "query_result(" + judgedFirst() + ")"
	return []variable{
		datasourceVariable(),
		one(variableExperiment, "Experiment", metrics.LabelExperiment, metrics.HistoryRun).Sort(dashboard.VariableSortAlphabeticalAsc),
		one(variableBaseline, "Baseline", metrics.LabelBaseline, compared).Sort(dashboard.VariableSortAlphabeticalAsc),
		one(variableLoad, "Load", metrics.LabelLoad, compared).Sort(dashboard.VariableSortAlphabeticalAsc),
		one(variableMetric, "Metric", metrics.LabelMetric, compared).
			Description("Metrics of which changes are judged are first.").
			Query(dashboard.StringOrMap{String: &judged}).Definition(judged).
			Regex(`/metric="([^"]+)"/`).
			Sort(dashboard.VariableSortDisabled),
		some(variableServer, "Server", metrics.LabelServer, compared),
	}
}

func judgedFirst() string {
	return fmt.Sprintf("sort_desc(%s)", maxBy(latest(ofHistory(metrics.HistoryJudged, is(metrics.LabelLoad, "$"+variableLoad))), metrics.LabelMetric))
}

// ofHistory selects series of the chosen experiment.
func ofHistory(metric string, matchers ...string) string {
	return selector(metric, append([]string{is(metrics.LabelExperiment, "$"+variableExperiment)}, matchers...)...)
}

// ofSeries selects series of the chosen servers, load and metric that are compared with the chosen baseline.
func ofSeries(metric string) string {
	return ofHistory(metric, is(metrics.LabelBaseline, "$"+variableBaseline), is(metrics.LabelLoad, "$"+variableLoad), is(metrics.LabelMetric, "$"+variableMetric),
		among(metrics.LabelServer, variableServer))
}

// ofFigures selects series of the chosen servers and the baseline, load and metric.
func ofFigures(metric string) string {
	return ofHistory(metric, is(metrics.LabelLoad, "$"+variableLoad), is(metrics.LabelMetric, "$"+variableMetric),
		fmt.Sprintf(`%s=~"$%s|$%s"`, metrics.LabelServer, variableServer, variableBaseline))
}

// inRun returns the samples of runs. A step of a graph is longer than the time that Prometheus looks back for a sample, so each step covers its
// own time.
func inRun(series string) string { return fmt.Sprintf("last_over_time(%s[$__interval])", series) }

// ofLatest returns the latest samples of a metric of changes, of those changes that the latest history in the time range has. An earlier
// history may have had others, which its samples still show.
func ofLatest(metric string, matchers ...string) string {
	of := append([]string{is(metrics.LabelBaseline, "$"+variableBaseline), among(metrics.LabelServer, variableServer)}, matchers...)
	atEnd := func(series string) string { return fmt.Sprintf("last_over_time(%s[$__range] @ end())", series) }
	change := append([]string{metrics.LabelFirstRun}, perChange...)
	return fmt.Sprintf("(%s and on (%s) (%s == on (%s) group_left () %s))", atEnd(ofHistory(metric, of...)), strings.Join(change, ", "),
		atEnd(ofHistory(metrics.HistoryChangeSeen, of...)), metrics.LabelExperiment, atEnd(ofHistory(metrics.HistoryRun)))
}

// changeTimes returns the first run after each change.
func changeTimes() string {
	return "1000 * " + maxBy(ofLatest(metrics.HistoryChangeTime, is(metrics.LabelLoad, "$"+variableLoad), is(metrics.LabelMetric, "$"+variableMetric)), perChange...)
}
