package dashboards

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"

	"ringside.dev/ringside/operators/metrics"
)

// noSchedule is what panels of response times say of a run whose load keeps no rate.
const noSchedule = "No load of this run had a rate to keep: points were never due"

// stream shows points on their way into the caches of a store that builds trips from them: whether it keeps up, and what it costs.
func stream() *dashboard.DashboardBuilder {
	byServer := []string{labelInstance, metrics.LabelServer}
	const legend = "{{instance}} {{server}}"
	return page("Stream of trips", "ringside-trips",
		"Points on their way into a persistent cache. A cache keeps up while as many leave the queue as come, and the queue does not grow.", storeVariables()).
		WithRow(dashboard.NewRowBuilder("Does it keep up?")).
		WithPanel(graph(head{
			title: "Points in and out", unit: unitOps, width: half, step: stepStore, without: noNodes,
			description: "Points per second that came, and that left the queue into the cache. Where the second stays below the first, the cache does not keep up.",
		},
			query{sumBy(rate(ofStore(metrics.TripPointsReceived)), byServer...), legend + " in"},
			query{sumBy(rate(ofStore(metrics.TripPoints)), byServer...), legend + " out"},
		)).
		WithPanel(graph(head{
			title: "Points that wait", unit: unitCount, width: half, step: stepStore, without: noNodes,
			description: "The queue: points that wait for the cache or are on their way into it. What can wait is bounded by the packets that the load has under way.",
		}, query{sumBy(ofStore(metrics.TripQueue), byServer...), legend})).
		WithPanel(graph(head{
			title: "Lag", unit: unitSeconds, width: half, step: stepStore, without: noNodes,
			description: "How long a point that comes now has to wait: the queue over the points that leave it in a second. While none leave, there is no answer.",
		}, query{lag(byServer), legend})).
		WithPanel(graph(head{
			title: "Tasks that wait for a thread", unit: unitCount, width: half, step: stepStore, without: noNodes,
			description: "The fork-join pool's own queue, by which the published test of keeping up was made: lanes of trips that have points and no thread.",
		}, query{sumBy(ofStore(metrics.TripPoolQueue), byServer...), legend})).
		WithPanel(graph(head{
			title: "Lag of the topic", unit: unitCount, width: half, step: stepStore, without: noNodes,
			description: "Records of a server's topic of Kafka whose points are not in the cache: the consumer's lag. Nothing where points come over sockets.",
		}, query{sumBy(ofStore(metrics.TripFeedLag), byServer...), legend})).
		WithPanel(graph(head{
			title: "Age of what came from the topic", unit: unitMillis, width: half, step: stepStore, without: noNodes,
			description: "How long ago the points that the cache got last from a topic had been due. It stays as it was while none come.",
		}, query{maxBy(ofStore(metrics.TripFeedAge), byServer...), legend})).
		WithRow(dashboard.NewRowBuilder("Latency from when a point was due")).
		WithPanel(responses(median)).
		WithPanel(responses(p95)).
		WithPanel(responses(p99)).
		WithRow(dashboard.NewRowBuilder("What it costs")).
		WithPanel(graph(head{
			title: "Bytes put and written", unit: unitByteRate, width: third, step: stepStore, without: noNodes,
			description: "Keys and values per second that were put into the caches of a node, and what the kernel had its disks write.",
		},
			query{sumBy(rate(ofStore(metrics.TripPutBytes)), labelInstance), perNodeLegend + " put"},
			query{sumBy(rate(ofStore(metrics.TripDiskWrittenBytes)), labelInstance), perNodeLegend + " written"},
		)).
		WithPanel(graph(head{
			title: "Write amplification", unit: unitTimes, width: third, step: stepStore, without: noNodes,
			description: "Bytes that a node had its disks write for each byte that was put, since it was started. It counts the loading of native libraries, too, so that it means little at first.",
		}, query{amplification(), perNodeLegend})).
		WithPanel(graph(head{
			title: "Bytes read from disks", unit: unitByteRate, width: third, step: stepStore, without: noNodes,
			description: "Bytes per second that the kernel had to fetch: of data that is in no cache's memory and not in the kernel's.",
		}, query{sumBy(rate(ofStore(metrics.TripDiskReadBytes)), labelInstance), perNodeLegend})).
		WithPanel(graph(head{
			title: "Trips in the cache", unit: unitCount, width: third, step: stepStore, without: noNodes,
			description: "Those that have ended stay. An estimate where counting takes long.",
		}, query{sumBy(ofStore(metrics.TripCacheEntries), byServer...), legend})).
		WithPanel(graph(head{
			title: "Size of the cache", unit: unitBytes, width: third, step: stepStore, without: noNodes,
			description: "The cache's files, and the memory that it holds itself: that of a cache in the heap is the heap's.",
		},
			query{sumBy(ofStore(metrics.TripCacheDiskBytes), byServer...), legend + " on disk"},
			query{sumBy(ofStore(metrics.TripCacheMemoryBytes), byServer...), legend + " in memory"},
		)).
		WithPanel(graph(head{
			title: "Trips begun and ended", unit: unitPerSecond, width: third, step: stepStore, without: noNodes,
			description: "Trips per second. The load holds every one that ends against what it sent.",
		},
			query{sumBy(rate(ofStore(metrics.TripBegun)), byServer...), legend + " begun"},
			query{sumBy(rate(ofStore(metrics.TripEnded)), byServer...), legend + " ended"},
		)).
		WithRow(dashboard.NewRowBuilder("What was lost or sent again")).
		WithPanel(graph(head{
			title: "Gaps", unit: unitPerSecond, width: half, step: stepStore, without: noNodes,
			description: "Points per second that found their trip without those before them: the cache has lost these. Each is an error of the load.",
		}, query{sumBy(rate(ofStore(metrics.TripGaps)), byServer...), legend})).
		WithPanel(graph(head{
			title: "Points that were there", unit: unitPerSecond, width: half, step: stepStore, without: noNodes,
			description: "Points per second that came again, as after a client's new beginning. They change nothing.",
		}, query{sumBy(rate(ofStore(metrics.TripRepeated)), byServer...), legend}))
}

// lag is how long the queue takes to be empty, at the rate at which points leave it.
func lag(by []string) string {
	return fmt.Sprintf("%s / (%s > 0)", sumBy(ofStore(metrics.TripQueue), by...), sumBy(rate(ofStore(metrics.TripPoints)), by...))
}

// amplification is of nodes that were given anything to put.
func amplification() string {
	return fmt.Sprintf("%s / (%s > 0)", sumBy(ofStore(metrics.TripDiskWrittenBytes), labelInstance), sumBy(ofStore(metrics.TripPutBytes), labelInstance))
}

// responses at a percentile: of the load's servers, by the names that they have in the experiment.
func responses(q quantile) *timeseries.PanelBuilder {
	kind := is(metrics.LabelKind, "response")
	return latencyGraph(head{
		title: "Latency, " + q.name, unit: unitSeconds, width: third, step: stepLoad, without: noSchedule,
		description: "From when the point's packet was due to its acknowledgement, over all load pods. A queue before the cache is in it, wherever that queue is.",
	}, query{
		fmt.Sprintf("histogram_quantile(%s, %s) or %s", q.label,
			sumBy(rate(ofRun(metrics.LoadLatency, kind)), metrics.LabelServer),
			maxBy(ofRun(metrics.LoadIntervalLatency, kind, is(metrics.LabelQuantile, q.label)), metrics.LabelServer)),
		"{{server}}",
	})
}
