package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

// cassandra shows the figures that only Cassandra's nodes report.
func cassandra() *dashboard.DashboardBuilder {
	byNode := []string{labelInstance}
	return page("Cassandra", "ringside-cassandra", "The Cassandra nodes under test: requests, pending work, and work that was dropped or late.", storeVariables()).
		WithRow(dashboard.NewRowBuilder("Requests")).
		WithPanel(graph(head{
			title: "Requests coordinated", unit: unitOps, width: third, step: stepStore, without: noNodes,
			description: "Client requests per second, by the node that coordinates them. Unequal shares between nodes distort a measurement.",
		}, query{sumBy(rate(ofStore(metrics.CassandraRequests)), labelInstance, metrics.LabelOperation), "{{instance}} {{operation}}"})).
		WithPanel(latencyGraph(head{
			title: "Latency inside the store, 99th percentile", unit: unitSeconds, width: third, step: stepStore, without: noNodes,
			description: "From the coordinator's own decaying histogram. The difference from the load's latency is the time of the server's connections, the network and the client.",
		}, query{
			maxBy(ofStore(metrics.CassandraRequestLatency, is(metrics.LabelQuantile, "0.99")), labelInstance, metrics.LabelOperation),
			"{{instance}} {{operation}}",
		})).
		WithPanel(graph(head{
			title: "Failed requests", unit: unitPerSecond, width: third, step: stepStore, without: noNodes,
			description: "Requests per second that timed out, found too few replicas, or failed.",
		}, query{sumBy(rate(ofStore(metrics.CassandraRequestErrors)), labelInstance, metrics.LabelKind), "{{instance}} {{kind}}"})).
		WithRow(dashboard.NewRowBuilder("Pending work")).
		WithPanel(graph(head{
			title: "Pending tasks by pool", unit: unitCount, width: third, step: stepStore, without: noNodes,
			description: "Tasks that wait for a thread of their stage, summed over the selected nodes.",
		}, query{sumBy(ofStore(metrics.CassandraTasksPending), metrics.LabelPool), "{{pool}}"})).
		WithPanel(graph(head{
			title: "Active and blocked tasks", unit: unitCount, width: third, step: stepStore, without: noNodes,
			description: "Tasks that run, and tasks that are blocked because the queue of their stage is full, by node.",
		},
			query{sumBy(ofStore(metrics.CassandraTasksActive), byNode...), perNodeLegend + " active"},
			query{sumBy(ofStore(metrics.CassandraTasksBlocked), byNode...), perNodeLegend + " blocked"},
		)).
		WithPanel(graph(head{
			title: "Pending compactions", unit: unitCount, width: third, step: stepStore, without: noNodes,
			description: "Compactions that have not run yet. Compactions compete with requests for disk and CPU.",
		}, query{sumBy(ofStore(metrics.CassandraCompactions), byNode...), perNodeLegend})).
		WithRow(dashboard.NewRowBuilder("Disk")).
		WithPanel(graph(head{
			title: "Data on disk", unit: unitBytes, width: third, step: stepStore, without: noNodes,
			description: "Size of the live data on the node.",
		}, query{sumBy(ofStore(metrics.CassandraLoadBytes), byNode...), perNodeLegend})).
		WithPanel(graph(head{
			title: "Size of the commit log", unit: unitBytes, width: third, step: stepStore, without: noNodes,
			description: "Total size of the commit log's segments.",
		}, query{sumBy(ofStore(metrics.CassandraCommitLogBytes), byNode...), perNodeLegend})).
		WithPanel(graph(head{
			title: "Compaction throughput", unit: unitByteRate, width: third, step: stepStore, without: noNodes,
			description: "Bytes per second that compactions process.",
		}, query{sumBy(rate(ofStore(metrics.CassandraCompactedBytes)), byNode...), perNodeLegend})).
		WithRow(dashboard.NewRowBuilder("Dropped and repaired")).
		WithPanel(graph(head{
			title: "Dropped messages", unit: unitPerSecond, width: third, step: stepStore, without: noNodes,
			description: "Messages per second between nodes that were dropped because they were too old. At QUORUM the client does not see every drop.",
		}, query{sumBy(rate(ofStore(metrics.CassandraDroppedMessages)), labelInstance, metrics.LabelMessageType), "{{instance}} {{message_type}}"})).
		WithPanel(graph(head{
			title: "Hints", unit: unitPerSecond, width: third, step: stepStore, without: noNodes,
			description: "Writes per second that were stored for a node that did not respond, hints in progress, and their deliveries by result once the node responds again.",
		},
			query{sumBy(rate(ofStore(metrics.CassandraHints)), byNode...), perNodeLegend},
			query{sumBy(ofStore(metrics.CassandraHintsInProgress), byNode...), perNodeLegend + " in progress"},
			query{sumBy(rate(ofStore(metrics.CassandraHintsDelivered)), labelInstance, metrics.LabelKind), perNodeLegend + " delivery {{kind}}"},
		)).
		WithPanel(graph(head{
			title: "Read repairs", unit: unitPerSecond, width: third, step: stepStore, without: noNodes,
			description: "Rows per second whose replicas differed and were repaired by a read: before the reply to the client (blocking), or after it.",
		}, query{sumBy(rate(ofStore(metrics.CassandraReadRepairs)), labelInstance, metrics.LabelKind), "{{instance}} {{kind}}"}))
}
