package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

const perNodeLegend = "{{instance}}"

// noNodes is what panels of a store say that serves none of these figures.
const noNodes = "The store's nodes served no such figures in the time range"

// store shows what the nodes of any store do: what every JVM and every container tells.
func store() *dashboard.DashboardBuilder {
	byNode := []string{labelInstance}
	heap := is(metrics.LabelArea, "heap")
	return page("Store", "ringside-store", "The nodes of the store under test: whether it is the server that is measured, or a node that has something else to do.", storeVariables()).
		WithRow(dashboard.NewRowBuilder("CPU and memory")).
		WithPanel(graph(head{
			title: "CPU of the containers", unit: unitCPUs, width: third, step: stepNode, without: noNodes,
			description: "CPUs that a node's containers use, as its kubelet counts. Needs nodeMetrics of the monitoring chart, or a Prometheus that scrapes kubelets.",
		}, query{
			// The kubelet knows nothing of runs. A pod is found by its name, which no two runs share.
			sumBy(rate(selector("container_cpu_usage_seconds_total", among(labelPod, variableInstance), labelContainer+`!=""`)), labelPod) +
				" and on (" + labelPod + ") " + latest(ofRun("up", is(labelJob, jobStore))),
			"{{pod}}",
		})).
		WithPanel(graph(head{
			title: "CPU of the store's process", unit: unitCPUs, width: third, step: stepStore, without: noNodes,
			description: "CPUs that the store's own process uses.",
		}, query{sumBy(rate(ofStore(metrics.ProcessCPUSeconds)), byNode...), perNodeLegend})).
		WithPanel(graph(head{
			title: "Heap", unit: unitBytes, width: third, step: stepStore, without: noNodes,
			description: "Heap in use, and its limit.",
		},
			query{sumBy(ofStore(metrics.JVMMemoryUsed, heap), byNode...), perNodeLegend},
			query{maxBy(ofStore(metrics.JVMMemoryMax, heap)), "limit"},
		)).
		WithPanel(graph(head{
			title: "Time in garbage collection", unit: unitRatio, width: half, step: stepStore, without: noNodes,
			description: "Part of the time that a node spends in garbage collections, by collector. Those of the young generation stop it.",
		}, query{sumBy(rate(ofStore(metrics.JVMGCSeconds)), labelInstance, metrics.LabelGC), "{{instance}} {{gc}}"})).
		WithPanel(graph(head{
			title: "Average collection", unit: unitSeconds, width: half, step: stepStore, without: noNodes,
			description: "How long a garbage collection takes, on average, by collector. A pause is a request that waits.",
		}, query{
			sumBy(rate(ofStore(metrics.JVMGCSeconds)), labelInstance, metrics.LabelGC) + " / " +
				sumBy(rate(ofStore(metrics.JVMGCCount)), labelInstance, metrics.LabelGC), "{{instance}} {{gc}}",
		}))
}
