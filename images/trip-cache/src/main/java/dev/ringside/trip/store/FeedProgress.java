package dev.ringside.trip.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * How far a topic may be committed: up to the first batch that is not in the cache, however many
 * behind it are. For one thread.
 */
final class FeedProgress {
  private final Deque<FedBatch> underWay = new ArrayDeque<>();
  private Map<TopicPartition, OffsetAndMetadata> kept = new HashMap<>();

  /** A batch was polled, behind all others. */
  void add(FedBatch batch) {
    underWay.add(batch);
  }

  /** What may be committed and was not given out by an earlier call; often nothing. */
  Map<TopicPartition, OffsetAndMetadata> committable() {
    while (!underWay.isEmpty() && underWay.peek().isKept()) {
      kept.putAll(underWay.remove().next());
    }
    Map<TopicPartition, OffsetAndMetadata> news = kept;
    kept = new HashMap<>();
    return news;
  }

  /** Whether everything that was polled is in the cache. */
  boolean isIdle() {
    return underWay.stream().allMatch(FedBatch::isKept);
  }
}
