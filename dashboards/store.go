package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

const perNodeLegend = "{{" + member + "}}"

// noNodes is the text of panels for a store that does not report these figures.
const noNodes = "The store's nodes reported no such figures in the time range"

// store shows figures that every JVM and every container reports.
func store() *dashboard.DashboardBuilder {
	heap := is(metrics.LabelArea, "heap")
	return page("Store", uidStore, "The nodes of the store under test: CPU, heap and garbage collection. Shows whether other work on a node distorts a measurement.", storeVariables()).
		WithRow(dashboard.NewRowBuilder("CPU and memory")).
		WithPanel(graph(head{
			title: "CPU of containers", unit: unitCPUs, width: third, step: stepNode, without: noNodes,
			description: "CPUs that the containers of a node use, from its kubelet. Needs nodeMetrics in the monitoring chart, or a Prometheus that scrapes kubelets.",
		}, query{
			// The kubelet does not know runs. Pods are matched by name, which is unique to a run.
			sumBy(named(rate(selector("container_cpu_usage_seconds_total", among(labelPod, variableInstance), labelContainer+`!=""`))+
				" and on ("+labelPod+") "+latest(ofRun("up", is(labelJob, jobStore))), noLabel, labelPod, "$2 $3"), member),
			perNodeLegend,
		})).
		WithPanel(graph(head{
			title: "CPU of the store's process", unit: unitCPUs, width: third, without: noNodes,
			description: "CPUs that the store's process uses.",
		}, query{sumNodes(rate(ofStore(metrics.ProcessCPUSeconds))), perNodeLegend})).
		WithPanel(graph(head{
			title: "Heap", unit: unitBytes, width: third, without: noNodes,
			description: "Used heap, and its limit.",
		},
			query{sumNodes(ofStore(metrics.JVMMemoryUsed, heap)), perNodeLegend},
			query{maxBy(ofStore(metrics.JVMMemoryMax, heap)), "limit"},
		)).
		WithPanel(graph(head{
			title: "Time in garbage collection", unit: unitRatio, width: half, without: noNodes,
			description: "Share of the time that a node spends in garbage collection, by collector. Collections of the young generation stop all threads.",
		}, query{sumNodes(rate(ofStore(metrics.JVMGCSeconds)), metrics.LabelGC), perNodeLegend + " {{gc}}"}).AxisSoftMax(0.1)).
		WithPanel(graph(head{
			title: "Average duration of a collection", unit: unitSeconds, width: half, without: noNodes,
			description: "Average duration of a garbage collection, by collector. Requests wait during a pause.",
		}, query{
			sumNodes(rate(ofStore(metrics.JVMGCSeconds)), metrics.LabelGC) + " / " +
				"(" + sumNodes(rate(ofStore(metrics.JVMGCCount)), metrics.LabelGC) + " > 0)", perNodeLegend + " {{gc}}",
		}))
}
