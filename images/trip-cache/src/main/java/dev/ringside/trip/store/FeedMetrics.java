package dev.ringside.trip.store;

import dev.ringside.store.Metrics;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Registers the metrics of the servers' topics. They are 0 for a server without a topic. */
final class FeedMetrics {
  private FeedMetrics() {}

  static void register(Metrics metrics, List<TripServer> servers) {
    metrics
        .gauge(
            "ringside_trip_feed_lag",
            "Records of the topic whose points are not in the cache: the consumer's lag.",
            each(servers, TripFeed::lag))
        .gauge(
            "ringside_trip_feed_age_millis",
            "Time since the points that the cache received last were due.",
            each(servers, TripFeed::ageMillis))
        .counter(
            "ringside_trip_feed_records_total",
            "Records of the topic that were read.",
            each(servers, TripFeed::records))
        .counter(
            "ringside_trip_feed_unreadable_total",
            "Records of the topic that are not points.",
            each(servers, TripFeed::unreadable));
  }

  private static Map<String, Supplier<Long>> each(
      List<TripServer> servers, ToLongFunction<TripFeed> figure) {
    return TripMetrics.each(
        servers, server -> server.feed() == null ? 0 : figure.applyAsLong(server.feed()));
  }
}
