package dev.ringside.trip.store;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Counts the parts of a batch of polled records. Its offsets may be committed only when all its
 * points are in the cache. Parts end on any thread.
 */
final class FedBatch {
  private final Map<TopicPartition, OffsetAndMetadata> next;
  private final AtomicInteger left;
  private final Runnable whenKept;

  /**
   * Creates a batch that is not in the cache yet.
   *
   * @param next offset in each partition after this batch
   * @param parts number of parts of the batch
   * @param whenKept called once, after the last part
   */
  FedBatch(Map<TopicPartition, OffsetAndMetadata> next, int parts, Runnable whenKept) {
    this.next = next;
    this.whenKept = whenKept;
    left = new AtomicInteger(parts);
    if (parts == 0) {
      whenKept.run();
    }
  }

  /** Counts a part whose points are all in the cache. */
  void partKept() {
    if (left.decrementAndGet() == 0) {
      whenKept.run();
    }
  }

  boolean isKept() {
    return left.get() <= 0;
  }

  Map<TopicPartition, OffsetAndMetadata> next() {
    return next;
  }
}
