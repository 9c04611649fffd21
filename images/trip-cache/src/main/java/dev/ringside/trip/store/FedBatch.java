package dev.ringside.trip.store;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Records that were polled together. Only when every point of them is in the cache may their
 * offsets be committed. Its parts end on any thread.
 */
final class FedBatch {
  private final Map<TopicPartition, OffsetAndMetadata> next;
  private final AtomicInteger left;
  private final Runnable whenKept;

  /**
   * On its way.
   *
   * @param next where to go on in each partition once this is kept
   * @param parts that it was divided into
   * @param whenKept called once, behind the last of them
   */
  FedBatch(Map<TopicPartition, OffsetAndMetadata> next, int parts, Runnable whenKept) {
    this.next = next;
    this.whenKept = whenKept;
    left = new AtomicInteger(parts);
    if (parts == 0) {
      whenKept.run();
    }
  }

  /** All points of one of its parts are in the cache. */
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
