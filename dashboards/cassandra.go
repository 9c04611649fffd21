package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

// cassandra shows what only Cassandra's nodes tell.
func cassandra() *dashboard.DashboardBuilder {
	byNode := []string{labelInstance}
	return page("Cassandra", "ringside-cassandra", "Inside the nodes of a Cassandra under test: its requests, the work that waits, and what was not done in time.", storeVariables()).
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
			title: "Dropped messages", unit: unitPerSecond, width: third, step: stepStore, without: noNodes,
			description: "Messages per second between nodes that were too old to be worth doing. At QUORUM some loss goes unseen by the client.",
		}, query{sumBy(rate(ofStore(metrics.CassandraDroppedMessages)), labelInstance, metrics.LabelMessageType), "{{instance}} {{message_type}}"})).
		WithPanel(graph(head{
			title: "Hints", unit: unitPerSecond, width: third, step: stepStore, without: noNodes,
			description: "Writes per second kept for a node that did not answer, those being written at this moment, and what became of them once it answered again.",
		},
			query{sumBy(rate(ofStore(metrics.CassandraHints)), byNode...), perNodeLegend},
			query{sumBy(ofStore(metrics.CassandraHintsInProgress), byNode...), perNodeLegend + " in progress"},
			query{sumBy(rate(ofStore(metrics.CassandraHintsDelivered)), labelInstance, metrics.LabelKind), perNodeLegend + " delivery {{kind}}"},
		)).
		WithPanel(graph(head{
			title: "Read repairs", unit: unitPerSecond, width: third, step: stepStore, without: noNodes,
			description: "Rows per second whose copies a read found to differ, and put right: while the reader waited (blocking), or after it was answered.",
		}, query{sumBy(rate(ofStore(metrics.CassandraReadRepairs)), labelInstance, metrics.LabelKind), "{{instance}} {{kind}}"}))
}
