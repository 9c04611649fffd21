package dashboards

import (
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/stat"

	"ringside.dev/ringside/operators/metrics"
)

// tellsNothing is what a panel says of a server without figures of its own.
const tellsNothing = "The chosen servers tell nothing of this: libthrift's own have no such figures, disruptor has all"

// thriftServer shows what goes on inside the Thrift servers.
func thriftServer() *dashboard.DashboardBuilder {
	variables := append(storeVariables(),
		some(variableServerType, "Server type", metrics.LabelServerType, ofRun(metrics.ThriftConnections)))
	perServerType := []string{labelInstance, metrics.LabelServerType}
	const legend = "{{instance}} {{server_type}}"
	return page("Thrift server", "ringside-thrift",
		"Inside the Thrift server of each store node. A server tells what it has: the libraries' own servers tell nothing, the disruptor all.", variables).
		WithPanel(whoTells()).
		WithRow(dashboard.NewRowBuilder("Requests")).
		WithPanel(graph(head{
			title: "Requests by path", unit: unitOps, width: half, step: stepStore, without: tellsNothing,
			description: "Requests per second, by where they ran: on the thread that read them (inline), or on a worker because they were observed to block (handed_off).",
		}, query{sumBy(rate(ofThrift(metrics.ThriftRequests)), metrics.LabelServerType, metrics.LabelPath), "{{server_type}} {{path}}"})).
		WithPanel(graph(head{
			title: "Part that ran inline", unit: unitRatio, width: half, step: stepStore, without: tellsNothing,
			description: "Inline requests of all. Each hand-off costs a wakeup.",
		}, query{
			sumBy(rate(ofThrift(metrics.ThriftRequests, is(metrics.LabelPath, "inline"))), perServerType...) + " / " +
				sumBy(rate(ofThrift(metrics.ThriftRequests)), perServerType...), legend,
		}).Max(1)).
		WithRow(dashboard.NewRowBuilder("Time")).
		WithPanel(graph(head{
			title: "Handler time per request", unit: unitSeconds, width: half, step: stepStore, without: tellsNothing,
			description: "Average time in the processor: the store's own work, with decoding and encoding.",
		}, query{perRequest(metrics.ThriftHandlerSeconds, perServerType), legend})).
		WithPanel(graph(head{
			title: "Queue time per request handed off", unit: unitSeconds, width: half, step: stepStore, without: tellsNothing,
			description: "Average time that a handed-off request waits for a worker. Against the handler time, it is what the server adds.",
		}, query{
			sumBy(rate(ofThrift(metrics.ThriftQueueSeconds)), perServerType...) + " / (" +
				sumBy(rate(ofThrift(metrics.ThriftRequests, is(metrics.LabelPath, "handed_off"))), perServerType...) + " > 0)", legend,
		})).
		WithRow(dashboard.NewRowBuilder("Ring and back-pressure")).
		WithPanel(graph(head{
			title: "Ring occupancy", unit: unitRatio, width: third, step: stepStore, without: tellsNothing,
			description: "Part of the ring buffer's slots that hold a request.",
		}, query{
			maxBy(ofThrift(metrics.ThriftRingOccupancy), perServerType...) + " / " +
				maxBy(ofThrift(metrics.ThriftRingCapacity), perServerType...), legend,
		}).Max(1)).
		WithPanel(graph(head{
			title: "Back-pressure", unit: unitRatio, width: third, step: stepStore, without: tellsNothing,
			description: "Part of the time in which reading was stopped because the ring was full.",
		}, query{sumBy(rate(ofThrift(metrics.ThriftBackpressureSeconds)), perServerType...), legend})).
		WithPanel(graph(head{
			title: "Threads", unit: unitCount, width: third, step: stepStore, without: tellsNothing,
			description: "Threads of the server, those of them that have nothing to do, and the event loops that connections are spread over.",
		},
			query{sumBy(ofThrift(metrics.ThriftThreads), perServerType...), legend},
			query{sumBy(ofThrift(metrics.ThriftParkedThreads), perServerType...), legend + " parked"},
			query{sumBy(ofThrift(metrics.ThriftEventLoops), perServerType...), legend + " event loops"},
		)).
		WithRow(dashboard.NewRowBuilder("Connections")).
		WithPanel(graph(head{
			title: "Open connections", unit: unitCount, width: third, step: stepStore, without: tellsNothing,
			description: "Connections that are open.",
		}, query{sumBy(ofThrift(metrics.ThriftConnections), perServerType...), legend})).
		WithPanel(graph(head{
			title: "New connections", unit: unitPerSecond, width: third, step: stepStore, without: tellsNothing,
			description: "Connections accepted per second. A load that reconnects for each request measures something else.",
		}, query{sumBy(rate(ofThrift(metrics.ThriftConnectionsTotal)), perServerType...), legend})).
		WithPanel(graph(head{
			title: "Bytes", unit: unitByteRate, width: third, step: stepStore, without: tellsNothing,
			description: "Bytes per second received (in) and sent (out).",
		}, query{sumBy(rate(ofThrift(metrics.ThriftBytes)), metrics.LabelServerType, metrics.LabelDirection), "{{server_type}} {{direction}}"}))
}

// whoTells says which of the run's servers the panels below can show at all, so that nobody takes silence for zero.
func whoTells() *stat.PanelBuilder {
	return figure(head{
		title: "Which servers tell of themselves", unit: unitCount, width: full, step: stepStore,
		description: "Servers of the run. One that tells nothing is in no panel below: libthrift's own servers have no such figures.",
	}, query{whetherTold(), "{{server_type}}"}).
		Mappings([]dashboard.ValueMapping{{ValueMap: &dashboard.ValueMap{Type: dashboard.MappingTypeValueToText, Options: map[string]dashboard.ValueMappingResult{
			"0": {Text: cog.ToPtr("tells nothing")}, "1": {Text: cog.ToPtr("tells")},
		}}}})
}

// whetherTold is 1 for a server of the run that has figures of its own, 0 for one that has none.
func whetherTold() string {
	told := maxBy(latest(ofRun(metrics.ThriftConnections)), metrics.LabelServerType)
	loaded := maxBy(latest(ofRun(metrics.LoadPhaseInfo)), metrics.LabelServerType)
	return "0 * " + told + " + 1 or 0 * " + loaded
}

func perRequest(seconds string, by []string) string {
	return sumBy(rate(ofThrift(seconds)), by...) + " / " + sumBy(rate(ofThrift(metrics.ThriftRequests)), by...)
}
