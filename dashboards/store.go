package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

const perNodeLegend = "{{instance}}"

// noNodes is what panels of a store say that serves none of these figures.
const noNodes = "The store's nodes served no such figures in the time range"

// store shows what a run's store nodes do.
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
		})).
		WithRow(dashboard.NewRowBuilder("Requests")).
		WithPanel(graph(head{
			title: "Requests coordinated", unit: unitOps, width: third, step: stepStore, without: noNodes,
			description: "Client requests per second, at the node that coordinates them. Nodes that get unequal shares skew a measurement.",
		}, query{sumBy(rate(ofStore(metrics.CassandraRequests)), labelInstance, metrics.LabelOperation), "{{instance}} {{operation}}"})).
		WithPanel(latencyGraph(head{
			title: "Latency inside the store, 99th percentile", unit: unitSeconds, width: third, step: stepStore, without: noNodes,
			description: "From the coordinator's own, decaying histogram. What lies between this and the load's latency is the Thrift server, the network and the client.",
		}, query{
			maxBy(ofStore(metrics.CassandraRequestLatency, is(metrics.LabelQuantile, "0.99")), labelInstance, metrics.LabelOperation),
			"{{instance}} {{operation}}",
		})).
		WithPanel(graph(head{
			title: "Failed requests", unit: unitPerSecond, width: third, step: stepStore, without: noNodes,
			description: "Requests per second that timed out, found too few replicas, or failed.",
		}, query{sumBy(rate(ofStore(metrics.CassandraRequestErrors)), labelInstance, metrics.LabelKind), "{{instance}} {{kind}}"})).
		WithRow(dashboard.NewRowBuilder("Work that waits")).
		WithPanel(graph(head{
			title: "Pending tasks by pool", unit: unitCount, width: third, step: stepStore, without: noNodes,
			description: "Tasks that wait for a thread of their stage, over the chosen nodes.",
		}, query{sumBy(ofStore(metrics.CassandraTasksPending), metrics.LabelPool), "{{pool}}"})).
		WithPanel(graph(head{
			title: "Active and blocked tasks", unit: unitCount, width: third, step: stepStore, without: noNodes,
			description: "Tasks that run, and tasks that not even a queue takes, by node.",
		},
			query{sumBy(ofStore(metrics.CassandraTasksActive), byNode...), perNodeLegend + " active"},
			query{sumBy(ofStore(metrics.CassandraTasksBlocked), byNode...), perNodeLegend + " blocked"},
		)).
		WithPanel(graph(head{
			title: "Pending compactions", unit: unitCount, width: third, step: stepStore, without: noNodes,
			description: "Compactions that are due. They compete with requests for disk and CPU.",
		}, query{sumBy(ofStore(metrics.CassandraCompactions), byNode...), perNodeLegend})).
		WithRow(dashboard.NewRowBuilder("Disk")).
		WithPanel(graph(head{
			title: "Data on disk", unit: unitBytes, width: third, step: stepStore, without: noNodes,
			description: "Live data of the node.",
		}, query{sumBy(ofStore(metrics.CassandraLoadBytes), byNode...), perNodeLegend})).
		WithPanel(graph(head{
			title: "Commit log", unit: unitBytes, width: third, step: stepStore, without: noNodes,
			description: "Size of the commit log's segments.",
		}, query{sumBy(ofStore(metrics.CassandraCommitLogBytes), byNode...), perNodeLegend})).
		WithPanel(graph(head{
			title: "Compacted", unit: unitByteRate, width: third, step: stepStore, without: noNodes,
			description: "Bytes per second that compactions rewrite.",
		}, query{sumBy(rate(ofStore(metrics.CassandraCompactedBytes)), byNode...), perNodeLegend})).
		WithRow(dashboard.NewRowBuilder("What was not done in time")).
		WithPanel(graph(head{
			title: "Dropped messages", unit: unitPerSecond, width: half, step: stepStore, without: noNodes,
			description: "Messages per second between nodes that were too old to be worth doing. At QUORUM some loss goes unseen by the client.",
		}, query{sumBy(rate(ofStore(metrics.CassandraDroppedMessages)), labelInstance, metrics.LabelMessageType), "{{instance}} {{message_type}}"})).
		WithPanel(graph(head{
			title: "Hints", unit: unitPerSecond, width: half, step: stepStore, without: noNodes,
			description: "Writes per second kept for a node that did not answer, and those being written at this moment.",
		},
			query{sumBy(rate(ofStore(metrics.CassandraHints)), byNode...), perNodeLegend},
			query{sumBy(ofStore(metrics.CassandraHintsInProgress), byNode...), perNodeLegend + " in progress"},
		))
}
