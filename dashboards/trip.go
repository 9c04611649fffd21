package dashboards

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"

	"ringside.dev/ringside/operators/metrics"
)

// noSchedule is the text of panels of response times for a run without a constant rate.
const noSchedule = "No load of this run had a constant rate: points were never due"

// stream shows how a store that builds trips processes points: whether it keeps up, and at what cost.
func stream() *dashboard.DashboardBuilder {
	const legend = perNodeLegend
	return page("Stream of trips", "ringside-trips",
		"GPS points on their way into a persistent cache. A cache keeps up while its queue does not grow.", storeVariables()).
		WithRow(dashboard.NewRowBuilder("Does it keep up?")).
		WithPanel(graph(head{
			title: "Points in and out", unit: unitOps, width: half, without: noNodes,
			description: "Points per second that arrived (in), and that left the queue into the cache (out). The cache does not keep up where out stays below in.",
		},
			query{byServer(rate(ofStore(metrics.TripPointsReceived))), legend + " in"},
			query{byServer(rate(ofStore(metrics.TripPoints))), legend + " out"},
		)).
		WithPanel(graph(head{
			title: "Queue length", unit: unitCount, width: half, without: noNodes,
			description: "Points that wait for the cache, or are being written to it. The number of packets in flight from the load limits it.",
		}, query{byServer(ofStore(metrics.TripQueue)), legend})).
		WithPanel(graph(head{
			title: "Lag", unit: unitSeconds, width: half, without: noNodes,
			description: "How long a point that arrives now will wait: the queue length divided by the points that leave per second. No value while no point leaves.",
		}, query{lag(), legend})).
		WithPanel(graph(head{
			title: "Tasks that wait for a thread", unit: unitCount, width: half, without: noNodes,
			description: "Queue of the fork-join pool: lanes of trips that have points but no thread. The published benchmark used it to decide whether a cache keeps up.",
		}, query{byServer(ofStore(metrics.TripPoolQueue)), legend})).
		WithPanel(graph(head{
			title: "Lag of the Kafka topic", unit: unitCount, width: half, without: noNodes,
			description: "Consumer lag: records of a server's Kafka topic whose points are not in the cache yet. No value where points arrive over sockets.",
		}, query{byServer(ofStore(metrics.TripFeedLag)), legend})).
		WithPanel(graph(head{
			title: "Age of the latest points from the topic", unit: unitMillis, width: half, without: noNodes,
			description: "Time between when the latest points from the topic were due and when the cache received them. It keeps its value while none arrive.",
		}, query{byServer(ofStore(metrics.TripFeedAge)), legend})).
		WithRow(dashboard.NewRowBuilder("Latency from when a point was due")).
		WithPanel(responses(median)).
		WithPanel(responses(p95)).
		WithPanel(responses(p99)).
		WithRow(dashboard.NewRowBuilder("Cost")).
		WithPanel(graph(head{
			title: "Bytes put and written", unit: unitByteRate, width: third, without: noNodes,
			description: "Bytes of keys and values per second that were put into the caches of a node, and bytes that the kernel wrote to its disks.",
		},
			query{sumNodes(rate(ofStore(metrics.TripPutBytes))), perNodeLegend + " put"},
			query{sumNodes(rate(ofStore(metrics.TripDiskWrittenBytes))), perNodeLegend + " written"},
		)).
		WithPanel(graph(head{
			title: "Write amplification", unit: unitTimes, width: third, without: noNodes,
			description: "Bytes written to disk per byte that was put, since the node started. It includes the loading of native libraries, and so means little at first.",
		}, query{amplification(), perNodeLegend})).
		WithPanel(graph(head{
			title: "Bytes read from disks", unit: unitByteRate, width: third, without: noNodes,
			description: "Bytes per second that the kernel read from disk: data that was neither in the cache's memory nor in the page cache.",
		}, query{sumNodes(rate(ofStore(metrics.TripDiskReadBytes))), perNodeLegend})).
		WithPanel(graph(head{
			title: "Trips in the cache", unit: unitCount, width: third, without: noNodes,
			description: "Trips in the cache, including trips that have ended. An estimate where counting is expensive.",
		}, query{byServer(ofStore(metrics.TripCacheEntries)), legend})).
		WithPanel(graph(head{
			title: "Size of the cache", unit: unitBytes, width: third, without: noNodes,
			description: "Size of the cache's files, and of its memory outside the heap. A cache in the heap is part of the heap panel.",
		},
			query{byServer(ofStore(metrics.TripCacheDiskBytes)), legend + " on disk"},
			query{byServer(ofStore(metrics.TripCacheMemoryBytes)), legend + " in memory"},
		)).
		WithPanel(graph(head{
			title: "Trips begun and ended", unit: unitPerSecond, width: third, without: noNodes,
			description: "Trips that began and ended, per second. The load compares every ended trip with what it sent.",
		},
			query{byServer(rate(ofStore(metrics.TripBegun))), legend + " begun"},
			query{byServer(rate(ofStore(metrics.TripEnded))), legend + " ended"},
		)).
		WithRow(dashboard.NewRowBuilder("Lost and repeated points")).
		WithPanel(graph(head{
			title: "Gaps", unit: unitPerSecond, width: half, without: noNodes,
			description: "Points per second that found earlier points of their trip missing: the cache lost them. Each is an error of the load.",
		}, query{byServer(rate(ofStore(metrics.TripGaps))), legend})).
		WithPanel(graph(head{
			title: "Repeated points", unit: unitPerSecond, width: half, without: noNodes,
			description: "Points per second that the cache had already, as after a restart of a client. They change nothing.",
		}, query{byServer(rate(ofStore(metrics.TripRepeated))), legend}))
}

// lag returns how long the queue takes to drain at the present rate.
func lag() string {
	return fmt.Sprintf("%s / (%s > 0)", byServer(ofStore(metrics.TripQueue)), byServer(rate(ofStore(metrics.TripPoints))))
}

func byServer(expr string) string { return sumServers(expr, metrics.LabelServer) }

// amplification returns bytes written to disk per byte put. It omits nodes without puts.
func amplification() string {
	return fmt.Sprintf("%s / (%s > 0)", sumNodes(ofStore(metrics.TripDiskWrittenBytes)), sumNodes(ofStore(metrics.TripPutBytes)))
}

// responses returns a panel of response times at a percentile, by the servers of the load.
func responses(q quantile) *timeseries.PanelBuilder {
	kind := is(metrics.LabelKind, "response")
	return latencyGraph(head{
		title: "Latency, " + q.name, unit: unitSeconds, width: third, step: stepLoad, without: noSchedule,
		description: "From when the point's packet was due to its acknowledgement, over all load pods. Time in any queue before the cache is included.",
	}, query{
		fmt.Sprintf("histogram_quantile(%s, %s) or %s", q.label,
			sumBy(rate(ofRun(metrics.LoadLatency, kind)), metrics.LabelServer),
			maxBy(ofRun(metrics.LoadIntervalLatency, kind, is(metrics.LabelQuantile, q.label)), metrics.LabelServer)),
		"{{server}}",
	})
}
