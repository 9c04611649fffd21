package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

// barLegend names a bar by its server alone: its row says which operation it is of.
const barLegend = "{{server}}"

// comparison lays a run's servers side by side.
func comparison() *dashboard.DashboardBuilder {
	variables := append(loadVariables(), baselineVariable())
	const exact = " Over all chosen phases and rounds within the time range, from each phase's final figures: the time range must hold the whole run."
	const unpaired = "Nothing to set beside $baseline in the time range"
	return page("Server comparison", "ringside-comparison",
		"Which server is better, and by how much. What can be relied on, with its confidence, is in the report; here is where the figures come from.", variables).
		// Reads and writes are different things: one row for each operation, whose bars are the servers.
		WithRow(dashboard.NewRowBuilder("Side by side: $" + variableOperation).Repeat(variableOperation)).
		WithPanel(bars(head{
			title: "Op rate by server", unit: unitOps, width: third, step: stepStore,
			description: "Operations answered, over the time they took; the highest first." + exact,
		}, mostFirst, query{opRateOfAll(), barLegend})).
		WithPanel(bars(head{
			title: "95th percentile by server", unit: unitSeconds, width: third, step: stepStore,
			description: "Of the merged histograms; the lowest first." + exact,
		}, leastFirst, query{latencyOfAll(p95), barLegend})).
		WithPanel(bars(head{
			title: "99.9th percentile by server", unit: unitSeconds, width: third, step: stepStore,
			description: "Of the merged histograms; the lowest first." + exact,
		}, leastFirst, query{latencyOfAll(p999), barLegend})).
		WithPanel(bars(head{
			title: "Op rate, times the baseline's", unit: unitTimes, width: third, step: stepStore, without: unpaired,
			description: "More than 1 is faster than the baseline." + exact,
		}, mostFirst, query{toBaseline(opRateOfAll()), barLegend}).Decimals(2)).
		WithPanel(bars(head{
			title: "95th percentile, times the baseline's", unit: unitTimes, width: third, step: stepStore, without: unpaired,
			description: "Less than 1 is quicker than the baseline." + exact,
		}, leastFirst, query{toBaseline(latencyOfAll(p95)), barLegend}).Decimals(2)).
		WithPanel(bars(head{
			title: "99.9th percentile, times the baseline's", unit: unitTimes, width: third, step: stepStore, without: unpaired,
			description: "Less than 1 is quicker than the baseline." + exact,
		}, leastFirst, query{toBaseline(latencyOfAll(p999)), barLegend}).Decimals(2)).
		WithRow(dashboard.NewRowBuilder("Table")).
		WithPanel(figures(head{
			title: "Figures by server and operation", unit: unitSeconds, width: full, step: stepStore,
			description: "As the CSV has them, but for two things: percentiles are exact to a histogram bucket (4%), and invalid measurements are not told apart." + exact,
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
			title: "Op rate over time", unit: unitOps, width: third, step: stepStore,
			description: "As recorded by the rules, over 10 seconds.",
		}, query{ofRules(metrics.RuleOpRate), perServerLegend})).
		WithPanel(latencyGraph(head{
			title: "95th percentile over time", unit: unitSeconds, width: third, step: stepStore,
			description: "As recorded by the rules, over 10 seconds.",
		}, query{ofRules(metrics.RuleLatencyP95, among(metrics.LabelKind, variableKind)), perServerLegend})).
		WithPanel(latencyGraph(head{
			title: "99.9th percentile over time", unit: unitSeconds, width: third, step: stepStore,
			description: "As recorded by the rules, over 10 seconds.",
		}, query{ofRules(metrics.RuleLatencyP999, among(metrics.LabelKind, variableKind)), perServerLegend})).
		WithRow(dashboard.NewRowBuilder("Latency of every operation")).
		WithPanel(latencyHeatmap(head{
			title: "$server", unit: unitSeconds, width: half, step: stepLoad,
			description: "How many operations took how long. Needs native histograms.", without: noHistograms,
		}, query{sumBy(rate(ofLoad(metrics.LoadLatency, among(metrics.LabelKind, variableKind)))), "latency"}).
			Repeat(variableServer).RepeatDirection(dashboard.PanelRepeatDirectionH).MaxPerRow(2))
}
