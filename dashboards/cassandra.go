package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

// cassandra shows the figures that only Cassandra's nodes report.
func cassandra() *dashboard.DashboardBuilder {
	return page("Cassandra", "ringside-cassandra", "The Cassandra nodes under test: requests, pending work, and work that was dropped or late.", storeVariables()).
		WithRow(dashboard.NewRowBuilder("Requests")).
		WithPanel(graph(head{
			title: "Requests coordinated", unit: unitOps, width: third, without: noNodes,
			description: "Client requests per second, by the node that coordinates them. Unequal shares between nodes distort a measurement.",
		}, query{sumNodes(rate(ofStore(metrics.CassandraRequests)), metrics.LabelOperation), perNodeLegend + " {{operation}}"})).
		WithPanel(latencyGraph(head{
			title: "Latency inside the store, 99th percentile", unit: unitSeconds, width: third, without: noNodes,
			description: "From the coordinator's own decaying histogram. The difference from the load's latency is the time of the server's connections, the network and the client.",
		}, query{
			sumNodes(ofStore(metrics.CassandraRequestLatency, is(metrics.LabelQuantile, "0.99")), metrics.LabelOperation),
			perNodeLegend + " {{operation}}",
		})).
		WithPanel(graph(head{
			title: "Failed requests", unit: unitPerSecond, width: third, without: noNodes,
			description: "Requests per second that timed out, found too few replicas, or failed.",
		}, query{sumNodes(rate(ofStore(metrics.CassandraRequestErrors)), metrics.LabelKind), perNodeLegend + " {{kind}}"})).
		WithRow(dashboard.NewRowBuilder("Pending work")).
		WithPanel(graph(head{
			title: "Pending tasks by pool", unit: unitCount, width: third, without: noNodes,
			description: "Tasks that wait for a thread of their stage, summed over the selected nodes.",
		}, query{sumBy(ofStore(metrics.CassandraTasksPending), metrics.LabelPool), "{{pool}}"})).
		WithPanel(graph(head{
			title: "Active and blocked tasks", unit: unitCount, width: third, without: noNodes,
			description: "Tasks that run, and tasks that are blocked because the queue of their stage is full, by node.",
		},
			query{sumNodes(ofStore(metrics.CassandraTasksActive)), perNodeLegend + " active"},
			query{sumNodes(ofStore(metrics.CassandraTasksBlocked)), perNodeLegend + " blocked"},
		)).
		WithPanel(graph(head{
			title: "Pending compactions", unit: unitCount, width: third, without: noNodes,
			description: "Compactions that have not run yet. Compactions compete with requests for disk and CPU.",
		}, query{sumNodes(ofStore(metrics.CassandraCompactions)), perNodeLegend})).
		WithRow(dashboard.NewRowBuilder("Disk")).
		WithPanel(graph(head{
			title: "Data on disk", unit: unitBytes, width: third, without: noNodes,
			description: "Size of the live data on the node.",
		}, query{sumNodes(ofStore(metrics.CassandraLoadBytes)), perNodeLegend})).
		WithPanel(graph(head{
			title: "Size of the commit log", unit: unitBytes, width: third, without: noNodes,
			description: "Total size of the commit log's segments.",
		}, query{sumNodes(ofStore(metrics.CassandraCommitLogBytes)), perNodeLegend})).
		WithPanel(graph(head{
			title: "Compaction throughput", unit: unitByteRate, width: third, without: noNodes,
			description: "Bytes per second that compactions process.",
		}, query{sumNodes(rate(ofStore(metrics.CassandraCompactedBytes))), perNodeLegend})).
		WithRow(dashboard.NewRowBuilder("Dropped and repaired")).
		WithPanel(graph(head{
			title: "Dropped messages", unit: unitPerSecond, width: third, without: noNodes,
			description: "Messages per second between nodes that were dropped because they were too old. At QUORUM the client does not see every drop.",
		}, query{sumNodes(rate(ofStore(metrics.CassandraDroppedMessages)), metrics.LabelMessageType), perNodeLegend + " {{message_type}}"})).
		WithPanel(graph(head{
			title: "Hints", unit: unitPerSecond, width: third, without: noNodes,
			description: "Writes per second that were stored for a node that did not respond, hints in progress, and their deliveries by result once the node responds again.",
		},
			query{sumNodes(rate(ofStore(metrics.CassandraHints))), perNodeLegend},
			query{sumNodes(ofStore(metrics.CassandraHintsInProgress)), perNodeLegend + " in progress"},
			query{sumNodes(rate(ofStore(metrics.CassandraHintsDelivered)), metrics.LabelKind), perNodeLegend + " delivery {{kind}}"},
		)).
		WithPanel(graph(head{
			title: "Read repairs", unit: unitPerSecond, width: third, without: noNodes,
			description: "Rows per second whose replicas differed and were repaired by a read: before the reply to the client (blocking), or after it.",
		}, query{sumNodes(rate(ofStore(metrics.CassandraReadRepairs)), metrics.LabelKind), perNodeLegend + " {{kind}}"}))
}
