package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/stat"

	"ringside.dev/ringside/operators/metrics"
)

// reportsNothing is the text of panels for a server that reports no figures.
const reportsNothing = "The selected servers do not report this: libthrift's own servers report nothing, disruptor reports all figures"

// thriftServer shows the internal figures of the Thrift servers.
func thriftServer() *dashboard.DashboardBuilder {
	variables := append(storeVariables(),
		some(variableServerType, "Server type", metrics.LabelServerType, ofRun(metrics.ThriftConnections)))
	byNode := func(expr string) string { return sumServers(expr, metrics.LabelServerType) }
	const legend = perNodeLegend
	return page("Thrift server", "ringside-thrift",
		"The Thrift server of each store node. The disruptor server reports all figures; libthrift's own servers report none.", variables).
		WithPanel(whoReports()).
		WithRow(dashboard.NewRowBuilder("Requests")).
		WithPanel(graph(head{
			title: "Requests by path", unit: unitOps, width: half, without: reportsNothing,
			description: "Requests per second, by where they ran: on the thread that read them (inline), or on a worker because they block (handed_off).",
		}, query{sumBy(rate(ofThrift(metrics.ThriftRequests)), metrics.LabelServerType, metrics.LabelPath), "{{server_type}} {{path}}"})).
		WithPanel(graph(head{
			title: "Share of inline requests", unit: unitRatio, width: half, without: reportsNothing,
			description: "Inline requests as a share of all requests. Each hand-off costs a wakeup.",
		}, query{
			byNode(rate(ofThrift(metrics.ThriftRequests, is(metrics.LabelPath, "inline")))) + " / (" +
				byNode(rate(ofThrift(metrics.ThriftRequests))) + " > 0)", legend,
		}).Max(1)).
		WithRow(dashboard.NewRowBuilder("Time")).
		WithPanel(graph(head{
			title: "Handler time per request", unit: unitSeconds, width: half, without: reportsNothing,
			description: "Average time in the Thrift processor: the store's own work, decoding and encoding included.",
		}, query{byNode(rate(ofThrift(metrics.ThriftHandlerSeconds))) + " / (" + byNode(rate(ofThrift(metrics.ThriftRequests))) + " > 0)", legend})).
		WithPanel(graph(head{
			title: "Queue time per request handed off", unit: unitSeconds, width: half, without: reportsNothing,
			description: "Average time that a handed-off request waits for a worker: the time that the server adds to the handler time.",
		}, query{
			byNode(rate(ofThrift(metrics.ThriftQueueSeconds))) + " / (" +
				byNode(rate(ofThrift(metrics.ThriftRequests, is(metrics.LabelPath, "handed_off")))) + " > 0)", legend,
		})).
		WithRow(dashboard.NewRowBuilder("Ring and back-pressure")).
		WithPanel(graph(head{
			title: "Ring occupancy", unit: unitRatio, width: third, without: reportsNothing,
			description: "Share of the ring buffer's slots that hold a request.",
		}, query{
			byNode(ofThrift(metrics.ThriftRingOccupancy)) + " / " +
				byNode(ofThrift(metrics.ThriftRingCapacity)), legend,
		}).Max(1)).
		WithPanel(graph(head{
			title: "Back-pressure", unit: unitRatio, width: third, without: reportsNothing,
			description: "Share of the time in which the server did not read because the ring was full.",
		}, query{byNode(rate(ofThrift(metrics.ThriftBackpressureSeconds))), legend}).Max(1)).
		WithPanel(graph(head{
			title: "Threads", unit: unitCount, width: third, without: reportsNothing,
			description: "Threads of the server, idle threads, and the event loops that share the connections.",
		},
			query{byNode(ofThrift(metrics.ThriftThreads)), legend},
			query{byNode(ofThrift(metrics.ThriftParkedThreads)), legend + " parked"},
			query{byNode(ofThrift(metrics.ThriftEventLoops)), legend + " event loops"},
		)).
		WithRow(dashboard.NewRowBuilder("Connections")).
		WithPanel(graph(head{
			title: "Open connections", unit: unitCount, width: third, without: reportsNothing,
			description: "Number of open connections.",
		}, query{byNode(ofThrift(metrics.ThriftConnections)), legend})).
		WithPanel(graph(head{
			title: "New connections", unit: unitPerSecond, width: third, without: reportsNothing,
			description: "Accepted connections per second. A load that reconnects for each request measures connection set-up too.",
		}, query{byNode(rate(ofThrift(metrics.ThriftConnectionsTotal))), legend})).
		WithPanel(graph(head{
			title: "Bytes", unit: unitByteRate, width: third, without: reportsNothing,
			description: "Bytes per second received (in) and sent (out).",
		}, query{sumBy(rate(ofThrift(metrics.ThriftBytes)), metrics.LabelServerType, metrics.LabelDirection), "{{server_type}} {{direction}}"}))
}

// whoReports shows which of the run's servers report figures, so that a missing figure is not mistaken for zero.
func whoReports() *stat.PanelBuilder {
	return figure(head{
		title: "Servers that report figures", unit: unitCount, width: full,
		description: "Servers of the run, and whether each reports figures. libthrift's own servers do not, and are in no panel below.",
	}, query{whetherReported(), "{{server_type}}"}).
		Text(common.NewVizTextDisplayOptionsBuilder().ValueSize(20).TitleSize(16)).
		Mappings([]dashboard.ValueMapping{{ValueMap: &dashboard.ValueMap{Type: dashboard.MappingTypeValueToText, Options: map[string]dashboard.ValueMappingResult{
			"0": {Text: cog.ToPtr("reports nothing")}, "1": {Text: cog.ToPtr("reports")},
		}}}})
}

// whetherReported returns 1 for a server of the run that reports figures, and 0 for others.
func whetherReported() string {
	reports := maxBy(latest(ofRun(metrics.ThriftConnections)), metrics.LabelServerType)
	loaded := maxBy(latest(ofRun(metrics.LoadPhaseInfo)), metrics.LabelServerType)
	return "0 * " + reports + " + 1 or 0 * " + loaded
}
