package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

// barLegend is only the server: the title of the row names the operation.
const barLegend = "{{server}}"

// comparison shows a run's servers next to each other.
func comparison() *dashboard.DashboardBuilder {
	variables := append(loadVariables(), baselineVariable())
	const exact = " Over all selected phases and rounds, from the final figures of each phase: the time range must contain the whole run."
	const unpaired = "No figures of the baseline in the time range"
	return page("Server comparison", uidComparison,
		"The servers of a run compared with a baseline. Verdicts with confidence intervals are in the report; this page shows the figures behind them.", variables).
		// Reads and writes are not comparable: one row per operation, with one bar per server.
		WithRow(dashboard.NewRowBuilder("Comparison: $" + variableOperation).Repeat(variableOperation)).
		WithPanel(bars(head{
			title: "Op rate by server", unit: unitOps, width: third,
			description: "Answered operations per second; the highest first." + exact,
		}, mostFirst, query{opRateOfAll(), barLegend})).
		WithPanel(bars(head{
			title: "95th percentile by server", unit: unitSeconds, width: third,
			description: "From merged histograms; the lowest first." + exact,
		}, leastFirst, query{latencyOfAll(p95), barLegend})).
		WithPanel(bars(head{
			title: "99.9th percentile by server", unit: unitSeconds, width: third,
			description: "From merged histograms; the lowest first." + exact,
		}, leastFirst, query{latencyOfAll(p999), barLegend})).
		WithPanel(bars(head{
			title: "Op rate, ratio to the baseline", unit: unitTimes, width: third, without: unpaired,
			description: "More than 1 is faster than the baseline." + exact,
		}, mostFirst, query{toBaseline(opRateOfAll()), barLegend}).Decimals(2)).
		WithPanel(bars(head{
			title: "95th percentile, ratio to the baseline", unit: unitTimes, width: third, without: unpaired,
			description: "Less than 1 is faster than the baseline." + exact,
		}, leastFirst, query{toBaseline(latencyOfAll(p95)), barLegend}).Decimals(2)).
		WithPanel(bars(head{
			title: "99.9th percentile, ratio to the baseline", unit: unitTimes, width: third, without: unpaired,
			description: "Less than 1 is faster than the baseline." + exact,
		}, leastFirst, query{toBaseline(latencyOfAll(p999)), barLegend}).Decimals(2)).
		WithRow(dashboard.NewRowBuilder("Table")).
		WithPanel(figures(head{
			title: "Figures by server and operation", unit: unitSeconds, width: full,
			description: "The same as in the CSV, with two exceptions: percentiles are exact to a histogram bucket (4%), and invalid measurements are included." + exact,
		},
			column{"Operations", "locale", sumBy(highest(ofLoad(metrics.LoadOperations)), perServer...)},
			column{"Errors", "locale", sumBy(highest(ofLoad(metrics.LoadErrors)), perServer...)},
			column{"Op rate", unitOps, opRateOfAll()},
			column{"Median", unitSeconds, latencyOfAll(median)},
			column{"95th", unitSeconds, latencyOfAll(p95)},
			column{"99th", unitSeconds, latencyOfAll(p99)},
			column{"99.9th", unitSeconds, latencyOfAll(p999)},
			column{"Op rate ×", unitTimes, toBaseline(opRateOfAll())},
			column{"95th ×", unitTimes, toBaseline(latencyOfAll(p95))},
		)).
		WithRow(dashboard.NewRowBuilder("Over time")).
		WithPanel(graph(head{
			title: "Op rate over time", unit: unitOps, width: third,
			description: "From the recording rules, over 10 seconds.",
		}, query{ofRules(metrics.RuleOpRate), perServerLegend})).
		WithPanel(latencyGraph(head{
			title: "95th percentile over time", unit: unitSeconds, width: third,
			description: "From the recording rules, over 10 seconds.",
		}, query{ofRules(metrics.RuleLatencyP95, among(metrics.LabelKind, variableKind)), perServerLegend})).
		WithPanel(latencyGraph(head{
			title: "99.9th percentile over time", unit: unitSeconds, width: third,
			description: "From the recording rules, over 10 seconds.",
		}, query{ofRules(metrics.RuleLatencyP999, among(metrics.LabelKind, variableKind)), perServerLegend})).
		WithRow(dashboard.NewRowBuilder("Latency of every operation")).
		WithPanel(latencyHeatmap(head{
			title: "$server", unit: unitSeconds, width: half, step: stepLoad,
			description: "Number of operations by latency. Needs native histograms.", without: noHistograms,
		}, query{sumBy(rate(ofLoad(metrics.LoadLatency, among(metrics.LabelKind, variableKind)))), "latency"}).
			Repeat(variableServer).RepeatDirection(dashboard.PanelRepeatDirectionH).MaxPerRow(2))
}
