package dev.ringside.trip.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FeedProgressTest {
  private static final TopicPartition LEFT = new TopicPartition("heap", 0);
  private static final TopicPartition RIGHT = new TopicPartition("heap", 1);
  private final FeedProgress progress = new FeedProgress();

  @Test
  void shouldCommitUpToTheFirstBatchThatIsNotKept() {
    FedBatch first = add(Map.of(LEFT, 10L), 2);
    FedBatch second = add(Map.of(LEFT, 20L, RIGHT, 5L), 1);
    FedBatch third = add(Map.of(RIGHT, 9L), 1);
    second.partKept();
    first.partKept();
    assertEquals(Map.of(), progress.committable(), "a part of the first is not in the cache");
    first.partKept();
    assertEquals(offsets(Map.of(LEFT, 20L, RIGHT, 5L)), progress.committable());
    assertEquals(Map.of(), progress.committable(), "once");
    assertFalse(progress.isIdle());
    third.partKept();
    assertTrue(progress.isIdle());
    assertEquals(offsets(Map.of(RIGHT, 9L)), progress.committable());
  }

  @Test
  void shouldCommitABatchInWhichNothingWasAPoint() {
    add(Map.of(LEFT, 3L), 0);
    assertEquals(offsets(Map.of(LEFT, 3L)), progress.committable());
  }

  private FedBatch add(Map<TopicPartition, Long> next, int parts) {
    FedBatch batch = new FedBatch(offsets(next), parts, () -> {});
    progress.add(batch);
    return batch;
  }

  private static Map<TopicPartition, OffsetAndMetadata> offsets(Map<TopicPartition, Long> next) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    next.forEach((partition, offset) -> offsets.put(partition, new OffsetAndMetadata(offset)));
    return offsets;
  }
}
