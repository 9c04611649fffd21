package dashboards

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

const perServerLegend = "{{server}} {{operation}}"

// noHistograms is the text of heatmaps if Prometheus stores no native histograms.
const noHistograms = "No native histograms of this run: Prometheus must scrape and store them"

// noOperator is the text of panels without figures from the operator.
const noOperator = "The operator reported nothing about this run in the time range"

// experiment shows the progress of a run.
func experiment() *dashboard.DashboardBuilder {
	return page("Experiment", uidExperiment, "The progress of a run, and what its load measures.", loadVariables()).
		Refresh("5s").
		Annotation(mark(annotationFaults, strong, faultMoments())).
		WithRow(dashboard.NewRowBuilder("Progress")).
		WithPanel(figure(head{
			title: "Measurements", unit: unitCount, width: third, without: noOperator,
			description: "Measurements (one per server, phase, round and repeat): planned, finished, and how many of the finished are invalid.",
		}, query{ofRun(metrics.ExperimentMeasurements), "{{outcome}}"})).
		WithPanel(figure(head{
			title: "Done", unit: unitRatio, width: sixth, without: noOperator,
			description: "Share of the planned measurements that are finished.",
		}, query{
			sumBy(ofRun(metrics.ExperimentMeasurements, is(metrics.LabelOutcome, metrics.OutcomeFinished))) + " / " +
				sumBy(ofRun(metrics.ExperimentMeasurements, is(metrics.LabelOutcome, metrics.OutcomePlanned))), "done",
		}).TextMode(common.BigValueTextModeValue)).
		WithPanel(figure(head{
			title: "Duration", unit: unitSeconds, width: sixth, without: noOperator,
			description: "Time since the run was accepted, until its end.",
		}, query{sinceUntilEnd(metrics.ExperimentAccepted), "duration"}).TextMode(common.BigValueTextModeValue)).
		WithPanel(figure(head{
			title: "Time since the last progress", unit: unitSeconds, width: third, without: noOperator,
			description: "Time since a measurement finished, a store became ready, or a load pod responded. The alert " + metrics.AlertExperimentStuck + " fires when it is too long.",
		}, query{sinceUntilEnd(metrics.ExperimentLastProgress), "ago"}).TextMode(common.BigValueTextModeValue)).
		WithPanel(figures(head{
			title: "Figures so far", unit: unitSeconds, width: half,
			description: "Over the time range, by server and operation. The dashboard Server comparison has the ratios to a baseline.",
		},
			column{"Op rate", unitOps, opRateOfAll()},
			column{"95th", unitSeconds, latencyOfAll(p95)},
			column{"99.9th", unitSeconds, latencyOfAll(p999)},
		)).
		WithPanel(states(head{
			title: "State over time", unit: "bool_yes_no", width: half, without: noOperator,
			description: "States of the experiment, as the operator reports them.",
		}, query{maxBy(ofRun(metrics.ExperimentState), metrics.LabelState) + " > 0", "{{state}}"})).
		WithRow(dashboard.NewRowBuilder("Op rate and errors")).
		WithPanel(graph(head{
			title: "Op rate", unit: unitOps, width: 16, step: stepLoad,
			description: "Answered operations per second, over all load pods. Lines mark when phases begin, when a fault hit a node of the store, and when the node was ready again.",
		}, query{sumBy(rate(ofLoad(metrics.LoadOperations)), perServer...), perServerLegend})).
		WithPanel(graph(head{
			title: "Errors", unit: unitCount, width: third, step: stepLoad,
			description: "Operations that the load tool reports as failed. Most tools report them at the end of a phase. One error makes a measurement invalid, unless the experiment's gates allow it.",
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
			description: "Number of operations by latency. Needs native histograms.", without: noHistograms,
		}, query{sumBy(rate(ofLoad(metrics.LoadLatency, among(metrics.LabelKind, variableKind)))), "latency"})).
		WithRow(dashboard.NewRowBuilder("Load pods")).
		WithPanel(graph(head{
			title: "CPU used by load pods", unit: unitRatio, width: third, step: stepLoad,
			description: "Share of a load pod's available CPU. Near 100%, the load generator itself limits the result: see the alert " + metrics.AlertLoadSaturated + ".",
		}, query{maxBy(ofLoad(metrics.LoadCPUUsedRatio), metrics.LabelServer, labelInstance), "{{server}} {{instance}}"}).Max(1)).
		WithPanel(graph(head{
			title: "CPU throttling of load pods", unit: unitRatio, width: third, step: stepLoad,
			description: "Share of the time in which a load pod was throttled by its CPU limit.",
		}, query{sumBy(rate(ofLoad(metrics.LoadThrottledSeconds)), metrics.LabelServer, labelInstance), "{{server}} {{instance}}"}).AxisSoftMax(1)).
		WithPanel(graph(head{
			title: "Threads and target rate", unit: unitCount, width: third, step: stepLoad,
			description: "Threads of the load over all pods, and their target rate in operations per second. A rate of 0 is a closed loop: each thread sends its next request after the reply.",
		},
			query{sumBy(ofLoad(metrics.LoadThreads), metrics.LabelServer), "{{server}} threads"},
			query{sumBy(ofLoad(metrics.LoadTargetRate), metrics.LabelServer), "{{server}} target rate"},
		))
}

// sinceUntilEnd returns the time since the instant in a metric of the operator, until the end of the run.
func sinceUntilEnd(metric string) string {
	since := maxBy(ofRun(metric))
	return fmt.Sprintf("(%s or time() + 0 * %s) - %s", maxBy(ofRun(metrics.ExperimentFinished)), since, since)
}

func latencyHead(q quantile) head {
	return head{
		title: "Latency, " + q.name, unit: unitSeconds, width: third, step: stepLoad,
		description: "Over all load pods, from merged histograms. Without native histograms: the highest value of any load pod.",
	}
}
