package dev.ringside.trip.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.ringside.trip.stream.FedPoint;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.PointKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a topic with one partition and a cache that the test controls. */
@Timeout(120)
class TripFeedTest {
  private static final String TOPIC = "heap";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
  private static final TripBuilder.Taken KEPT = new TripBuilder.Taken(null, false);

  private final Committing consumer = new Committing();
  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  private record Received(PendingPacket packet, Point point) {}

  /** Records committed offsets, also after it is closed. */
  private static final class Committing extends MockConsumer<byte[], byte[]> {
    private final Map<TopicPartition, Long> committed = new ConcurrentHashMap<>();

    Committing() {
      super("earliest");
      updateBeginningOffsets(Map.of(PARTITION, 0L));
      updateEndOffsets(Map.of(PARTITION, 0L));
    }

    @Override
    public synchronized void commitAsync(
        Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
      offsets.forEach((partition, next) -> committed.put(partition, next.offset()));
    }

    @Override
    public synchronized void commitSync(
        Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
      offsets.forEach((partition, next) -> committed.put(partition, next.offset()));
    }
  }

  @Test
  void shouldCommitNothingBehindAPointThatIsNotInTheCache() throws Exception {
    TripFeed feed = feed(new IOException("the disk is full"));
    send(0, point(1, 0).value());
    received.take();
    send(1, point(2, 0).value());
    keep(received.take());
    feed.close();
    assertEquals(Map.of(), consumer.committed, "the second is kept, the first is not");
  }

  @Test
  void shouldCommitWhatIsInTheCacheBeforeItEnds() throws Exception {
    TripFeed feed = feed(null);
    send(0, point(1, 0).value());
    keep(received.take());
    send(1, point(1, 1).value());
    keep(received.take());
    feed.close();
    assertEquals(Map.of(PARTITION, 2L), consumer.committed);
    assertEquals(0, feed.lag());
    assertEquals(2, feed.records());
  }

  @Test
  void shouldSkipWhatIsNoPointAndSaySo() throws Exception {
    TripFeed feed = feed(null);
    send(0, new byte[] {1, 2, 3});
    assertEquals("heap-0@0: a record of 3 bytes: a point has 37", said.poll(1, TimeUnit.MINUTES));
    send(1, point(1, 0).value());
    keep(received.take());
    feed.close();
    assertEquals(1, feed.unreadable());
    assertEquals(Map.of(PARTITION, 2L), consumer.committed);
  }

  @Test
  void shouldRefuseATopicThatIsNotThere() {
    IOException refused =
        assertThrows(
            IOException.class,
            () ->
                new TripFeed(
                    consumer, TOPIC, (packet, point) -> {}, () -> null, fault -> {}, said::add));
    assertEquals(
        "there is no such topic: the chart makes one for each server", refused.getMessage());
  }

  private TripFeed feed(Throwable failure) throws IOException {
    Node node = new Node(0, "127.0.0.1", 9092);
    Node[] nodes = {node};
    consumer.updatePartitions(TOPIC, List.of(new PartitionInfo(TOPIC, 0, node, nodes, nodes)));
    return new TripFeed(
        consumer,
        TOPIC,
        (packet, point) -> received.add(new Received(packet, point)),
        () -> failure,
        fault -> said.add(fault.toString()),
        said::add);
  }

  private void send(long offset, byte[] value) {
    consumer.addRecord(new ConsumerRecord<>(TOPIC, 0, offset, new byte[0], value));
  }

  private static FedPoint point(long trip, int number) {
    return new FedPoint(9, new Point(trip, number, PointKind.GO_ON, 1, 2, 3));
  }

  private static void keep(Received received) {
    if (received.packet().took(KEPT)) {
      received.packet().sender().acknowledge(received.packet());
    }
  }
}
