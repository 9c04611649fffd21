package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

const perServerLegend = "{{server}} {{operation}}"

// noHistograms is what heatmaps say where Prometheus keeps none.
const noHistograms = "No native histograms of this run: the Prometheus must scrape and store them"

// noOperator is what panels say that show what the operator tells.
const noOperator = "The operator told nothing of this run in the time range"

// experiment shows a run as it goes.
func experiment() *dashboard.DashboardBuilder {
	return page("Experiment", "ringside-experiment", "A run as it goes: how far it is, and what its load measures.", loadVariables()).
		Refresh("5s").
		Annotation(faults()).
		WithRow(dashboard.NewRowBuilder("Progress")).
		WithPanel(figure(head{
			title: "Measurements", unit: unitCount, width: third, step: stepStore, without: noOperator,
			description: "Cells of the plan (server, phase, round, repeat): planned, finished, and of those invalid.",
		}, query{ofRun(metrics.ExperimentMeasurements), "{{outcome}}"})).
		WithPanel(figure(head{
			title: "Done", unit: unitRatio, width: sixth, step: stepStore, without: noOperator,
			description: "Finished measurements of the planned ones.",
		}, query{
			sumBy(ofRun(metrics.ExperimentMeasurements, is(metrics.LabelOutcome, metrics.OutcomeFinished))) + " / " +
				sumBy(ofRun(metrics.ExperimentMeasurements, is(metrics.LabelOutcome, metrics.OutcomePlanned))), "done",
		}).TextMode(common.BigValueTextModeValue)).
		WithPanel(figure(head{
			title: "Age", unit: unitSeconds, width: sixth, step: stepStore, without: noOperator,
			description: "Time since the run was accepted; it stands still once the run has ended.",
		}, query{maxBy(ofRun(metrics.ExperimentAge)), "age"}).TextMode(common.BigValueTextModeValue)).
		WithPanel(figure(head{
			title: "Since the last progress", unit: unitSeconds, width: third, step: stepStore, without: noOperator,
			description: "Time since a measurement finished, a store became ready, or a load pod answered. A long one is told by the alert " + metrics.AlertExperimentStuck + ".",
		}, query{"time() - " + maxBy(ofRun(metrics.ExperimentLastProgress)), "ago"}).TextMode(common.BigValueTextModeValue)).
		WithPanel(states(head{
			title: "What it was doing", unit: "bool_yes_no", width: full, step: stepStore, without: noOperator,
			description: "The states that the experiment was in, as the operator tells them.",
		}, query{maxBy(ofRun(metrics.ExperimentState), metrics.LabelState) + " > 0", "{{state}}"})).
		WithRow(dashboard.NewRowBuilder("Op rate and errors")).
		WithPanel(graph(head{
			title: "Op rate", unit: unitOps, width: 16, step: stepLoad,
			description: "Operations answered per second, over all load pods. Phases are shaded; lines mark when nodes of the store were hit, and ready again.",
		}, query{sumBy(rate(ofLoad(metrics.LoadOperations)), perServer...), perServerLegend})).
		WithPanel(graph(head{
			title: "Errors", unit: unitCount, width: third, step: stepLoad,
			description: "Operations that the load tool gave up. Most tools tell them at the end of a phase. Any makes a measurement invalid, unless the experiment's gates say otherwise.",
		}, query{sumBy(increase(ofLoad(metrics.LoadErrors)), perServer...), perServerLegend})).
		WithRow(dashboard.NewRowBuilder("Latency")).
		WithPanel(latencyGraph(latencyHead(median), query{latency(median), perServerLegend})).
		WithPanel(latencyGraph(latencyHead(p95), query{latency(p95), perServerLegend})).
		WithPanel(latencyGraph(latencyHead(p999), query{latency(p999), perServerLegend})).
		WithPanel(latencyGraph(head{
			title: "Latency, slowest operation", unit: unitSeconds, width: half, step: stepLoad,
			description: "The slowest operation of the last seconds, over all load pods.",
		}, query{
			maxBy(ofLoad(metrics.LoadIntervalLatency, among(metrics.LabelKind, variableKind), is(metrics.LabelQuantile, "max")), perServer...),
			perServerLegend,
		})).
		WithPanel(latencyHeatmap(head{
			title: "Latency, all operations", unit: unitSeconds, width: half, step: stepLoad,
			description: "How many operations took how long. Needs native histograms.", without: noHistograms,
		}, query{sumBy(rate(ofLoad(metrics.LoadLatency, among(metrics.LabelKind, variableKind)))), "latency"})).
		WithRow(dashboard.NewRowBuilder("Load pods")).
		WithPanel(graph(head{
			title: "CPU used by load pods", unit: unitRatio, width: third, step: stepLoad,
			description: "Part of the CPU that a load pod can get. Near 100% the load tool measures itself; see the alert " + metrics.AlertLoadSaturated + ".",
		}, query{maxBy(ofLoad(metrics.LoadCPUUsedRatio), metrics.LabelServer, labelInstance), "{{server}} {{instance}}"}).Max(1)).
		WithPanel(graph(head{
			title: "Load pods held back", unit: unitRatio, width: third, step: stepLoad,
			description: "Part of the time in which a load pod was throttled by its CPU limit.",
		}, query{sumBy(rate(ofLoad(metrics.LoadThrottledSeconds)), metrics.LabelServer, labelInstance), "{{server}} {{instance}}"})).
		WithPanel(graph(head{
			title: "Threads and target rate", unit: unitCount, width: third, step: stepLoad,
			description: "Threads of the load over all pods, and the operations per second asked of them. A rate of 0 is a closed loop: as fast as replies come.",
		},
			query{sumBy(ofLoad(metrics.LoadThreads), metrics.LabelServer), "{{server}} threads"},
			query{sumBy(ofLoad(metrics.LoadTargetRate), metrics.LabelServer), "{{server}} target rate"},
		))
}

func latencyHead(q quantile) head {
	return head{
		title: "Latency, " + q.name, unit: unitSeconds, width: third, step: stepLoad,
		description: "Over all load pods, from merged histograms. A Prometheus without native histograms shows the highest of the pods' own.",
	}
}
