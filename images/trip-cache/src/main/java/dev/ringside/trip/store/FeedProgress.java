package dev.ringside.trip.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Tracks how far a topic's offsets may be committed: up to the first batch that is not in the
 * cache, even if later ones are. For one thread.
 */
final class FeedProgress {
  private final Deque<FedBatch> underWay = new ArrayDeque<>();
  private Map<TopicPartition, OffsetAndMetadata> kept = new HashMap<>();

  /** Adds a batch that was polled after all others. */
  void add(FedBatch batch) {
    underWay.add(batch);
  }

  /** Returns offsets that became committable since the previous call; often none. */
  Map<TopicPartition, OffsetAndMetadata> committable() {
    while (!underWay.isEmpty() && underWay.peek().isKept()) {
      kept.putAll(underWay.remove().next());
    }
    Map<TopicPartition, OffsetAndMetadata> news = kept;
    kept = new HashMap<>();
    return news;
  }

  /** Reports whether all polled points are in the cache. */
  boolean isIdle() {
    return underWay.stream().allMatch(FedBatch::isKept);
  }
}
