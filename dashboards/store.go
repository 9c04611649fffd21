package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

const perNodeLegend = "{{instance}}"

// noNodes is the text of panels for a store that does not report these figures.
const noNodes = "The store's nodes reported no such figures in the time range"

// store shows figures that every JVM and every container reports.
func store() *dashboard.DashboardBuilder {
	byNode := []string{labelInstance}
	heap := is(metrics.LabelArea, "heap")
	return page("Store", "ringside-store", "The nodes of the store under test: CPU, heap and garbage collection. Shows whether other work on a node distorts a measurement.", storeVariables()).
		WithRow(dashboard.NewRowBuilder("CPU and memory")).
		WithPanel(graph(head{
			title: "CPU of containers", unit: unitCPUs, width: third, step: stepNode, without: noNodes,
			description: "CPUs that the containers of a node use, from its kubelet. Needs nodeMetrics in the monitoring chart, or a Prometheus that scrapes kubelets.",
		}, query{
			// The kubelet does not know runs. Pods are matched by name, which is unique to a run.
			sumBy(rate(selector("container_cpu_usage_seconds_total", among(labelPod, variableInstance), labelContainer+`!=""`)), labelPod) +
				" and on (" + labelPod + ") " + latest(ofRun("up", is(labelJob, jobStore))),
			"{{pod}}",
		})).
		WithPanel(graph(head{
			title: "CPU of the store's process", unit: unitCPUs, width: third, step: stepStore, without: noNodes,
			description: "CPUs that the store's process uses.",
		}, query{sumBy(rate(ofStore(metrics.ProcessCPUSeconds)), byNode...), perNodeLegend})).
		WithPanel(graph(head{
			title: "Heap", unit: unitBytes, width: third, step: stepStore, without: noNodes,
			description: "Used heap, and its limit.",
		},
			query{sumBy(ofStore(metrics.JVMMemoryUsed, heap), byNode...), perNodeLegend},
			query{maxBy(ofStore(metrics.JVMMemoryMax, heap)), "limit"},
		)).
		WithPanel(graph(head{
			title: "Time in garbage collection", unit: unitRatio, width: half, step: stepStore, without: noNodes,
			description: "Share of the time that a node spends in garbage collection, by collector. Collections of the young generation stop all threads.",
		}, query{sumBy(rate(ofStore(metrics.JVMGCSeconds)), labelInstance, metrics.LabelGC), "{{instance}} {{gc}}"})).
		WithPanel(graph(head{
			title: "Average duration of a collection", unit: unitSeconds, width: half, step: stepStore, without: noNodes,
			description: "Average duration of a garbage collection, by collector. Requests wait during a pause.",
		}, query{
			sumBy(rate(ofStore(metrics.JVMGCSeconds)), labelInstance, metrics.LabelGC) + " / " +
				sumBy(rate(ofStore(metrics.JVMGCCount)), labelInstance, metrics.LabelGC), "{{instance}} {{gc}}",
		}))
}
