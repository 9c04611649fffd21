package dev.ringside.trip.store;

import dev.ringside.trip.stream.FedPoint;
import dev.ringside.trip.stream.Feed;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.StreamFaultException;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a server's points from its topic. One thread reads all partitions and passes the points to
 * the server in their order.
 *
 * <p>Offsets are committed only after their points are in the cache, and synced if the server
 * guarantees that. After a crash, points are read again and none is missing. The consumer is
 * assigned all partitions, so no rebalance makes it read points twice.
 *
 * <p>At most {@link #MAX_PENDING} batches are in memory and not in the cache. The records that
 * remain in the topic are the lag. Polls the topic's end offsets ten times a second.
 */
final class TripFeed implements AutoCloseable {
  private static final int MAX_PENDING = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration TURN = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final BiConsumer<PendingPacket, Point> into;
  private final Supplier<Throwable> failure;
  private final java.util.function.Consumer<Throwable> failed;
  private final java.util.function.Consumer<String> say;
  private final List<TopicPartition> partitions = new ArrayList<>();
  private final Map<Long, Follower> followers = new ConcurrentHashMap<>();
  private final SecureRandom numbers = new SecureRandom();
  private final Semaphore room = new Semaphore(MAX_PENDING);
  private final FeedProgress progress = new FeedProgress();
  private final LongAdder records = new LongAdder();
  private final LongAdder points = new LongAdder();
  private final LongAdder kept = new LongAdder();
  private final LongAdder unreadable = new LongAdder();
  private final Thread thread;
  private long looked = System.nanoTime();
  private volatile long ageMillis;
  private volatile long end;
  private volatile long read;
  private volatile String brokers = "";
  private volatile boolean closed;

  /**
   * Starts to read at the committed offsets.
   *
   * @param into receives each point, in the order of its partition
   * @param failure of the server, or null
   * @param failed receives the error if the topic cannot be read any more
   * @throws IOException if the topic does not exist
   */
  static TripFeed open(
      String brokers,
      String topic,
      BiConsumer<PendingPacket, Point> into,
      Supplier<Throwable> failure,
      java.util.function.Consumer<Throwable> failed,
      java.util.function.Consumer<String> say)
      throws IOException {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            brokers,
            ConsumerConfig.GROUP_ID_CONFIG,
            "trip-cache-" + topic,
            ConsumerConfig.CLIENT_ID_CONFIG,
            "trip-cache-" + topic,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            false);
    Consumer<byte[], byte[]> consumer;
    try {
      consumer =
          new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    } catch (KafkaException e) {
      throw new IOException("no consumer of " + brokers + ": " + rootOf(e), e);
    }
    try {
      return new TripFeed(consumer, topic, into, failure, failed, say);
    } catch (IOException | RuntimeException e) {
      consumer.close();
      throw new IOException("no points from topic " + topic + " of " + brokers + ": " + e, e);
    }
  }

  private static String rootOf(Throwable fault) {
    return fault.getCause() == null ? fault.getMessage() : rootOf(fault.getCause());
  }

  /** Reads with a given consumer, and closes it at the end. */
  TripFeed(
      Consumer<byte[], byte[]> consumer,
      String topic,
      BiConsumer<PendingPacket, Point> into,
      Supplier<Throwable> failure,
      java.util.function.Consumer<Throwable> failed,
      java.util.function.Consumer<String> say)
      throws IOException {
    this.consumer = consumer;
    this.topic = topic;
    this.into = into;
    this.failure = failure;
    this.failed = failed;
    this.say = say;
    List<PartitionInfo> found = consumer.partitionsFor(topic);
    if (found == null || found.isEmpty()) {
      throw new IOException("there is no such topic: the chart makes one for each server");
    }
    found.forEach(each -> partitions.add(new TopicPartition(topic, each.partition())));
    consumer.assign(partitions);
    look();
    if (brokers.isEmpty()) {
      throw new IOException("no broker has it");
    }
    thread = new Thread(this::run, topic + "-feed");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        turn();
      }
      end();
    } catch (InterruptedException e) {
      // closed
    } catch (Throwable e) { // an Error also ends the thread
      if (!closed) {
        failed.accept(e);
      }
    } finally {
      consumer.close();
    }
  }

  private void turn() throws InterruptedException {
    if (room.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS)) {
      ConsumerRecords<byte[], byte[]> polled = consumer.poll(TURN);
      if (polled.isEmpty()) {
        room.release();
      } else {
        take(polled);
      }
    }
    if (System.nanoTime() - looked >= TURN.toNanos()) {
      commit();
      look();
      looked = System.nanoTime();
    }
  }

  private void take(ConsumerRecords<byte[], byte[]> polled) {
    long due = Long.MAX_VALUE;
    List<FedPoint> fed = new ArrayList<>(polled.count());
    Map<Long, Integer> counts = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : polled) {
      due = Math.min(due, record.timestamp());
      try {
        FedPoint point = FedPoint.of(record.value());
        fed.add(point);
        counts.merge(point.sender(), 1, Integer::sum);
      } catch (StreamFaultException e) {
        unreadable.increment();
        say.accept(
            String.format(
                "%s-%d@%d: %s", topic, record.partition(), record.offset(), e.getMessage()));
      }
    }
    Map<TopicPartition, OffsetAndMetadata> next = polled.nextOffsets();
    long oldest = due;
    FedBatch batch =
        new FedBatch(
            next,
            counts.size(),
            () -> {
              ageMillis = Math.max(0, System.currentTimeMillis() - oldest);
              room.release();
            });
    progress.add(batch);
    Map<Long, PendingPacket> packets = new HashMap<>();
    counts.forEach(
        (sender, count) ->
            packets.put(sender, new PendingPacket(packet -> keep(batch, sender, packet), count)));
    points.add(fed.size());
    // Updated before the points are passed on, so that no point counts as unread and as received.
    read = positions();
    for (FedPoint point : fed) {
      into.accept(packets.get(point.sender()), point.point());
    }
    records.add(polled.count());
  }

  /**
   * Counts a client's points of a batch as stored, and reports them to the client if it is
   * connected.
   */
  private void keep(FedBatch batch, long sender, PendingPacket packet) {
    kept.add(packet.points());
    // First, so that the points that the client learns of are already committable.
    batch.partKept();
    Follower follower = followers.get(sender);
    if (follower != null) {
      follower.kept(packet);
    }
  }

  private void commit() {
    Map<TopicPartition, OffsetAndMetadata> next = progress.committable();
    if (!next.isEmpty()) {
      // A later commit covers the offsets of a commit that fails.
      consumer.commitAsync(next, null);
    }
  }

  /** Polls the topic's end offsets and its leaders. */
  private void look() {
    try {
      read = positions();
      end = consumer.endOffsets(partitions, PATIENCE).values().stream().mapToLong(at -> at).sum();
      Set<String> leaders = new LinkedHashSet<>();
      for (PartitionInfo partition : consumer.partitionsFor(topic, PATIENCE)) {
        Node leader = partition.leader();
        if (leader != null) {
          leaders.add(leader.host() + ":" + leader.port());
        }
      }
      if (!leaders.isEmpty()) {
        brokers = String.join(",", leaders);
      }
    } catch (TimeoutException e) {
      say.accept(topic + ": its broker does not answer: " + e.getMessage());
    }
  }

  private long positions() {
    return partitions.stream().mapToLong(partition -> consumer.position(partition, PATIENCE)).sum();
  }

  /** Waits for points that are not in the cache yet, and commits their offsets. */
  private void end() throws InterruptedException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!progress.isIdle() && failure.get() == null && System.nanoTime() < until) {
      room.tryAcquire(MAX_PENDING, TURN.toMillis(), TimeUnit.MILLISECONDS);
    }
    Map<TopicPartition, OffsetAndMetadata> next = progress.committable();
    if (!next.isEmpty()) {
      consumer.commitSync(next, PATIENCE);
    }
  }

  /** Sends a client the topic's address, and then acknowledgements until it disconnects. */
  void follow(StreamSocket stream) throws IOException {
    long number = numbers.nextLong();
    Follower follower = new Follower(stream, fault -> say.accept(topic + " " + fault));
    followers.put(number, follower);
    try {
      stream.tell(new Feed(brokers, topic, number, ""));
      follower.await(topic);
    } finally {
      followers.remove(number);
    }
  }

  /** Reports an error to all clients and closes their connections. */
  void fail(String fault) {
    followers.values().forEach(follower -> follower.fail(fault));
  }

  String topic() {
    return topic;
  }

  /** Returns the number of clients that wait for acknowledgements. */
  int followers() {
    return followers.size();
  }

  /** Returns the number of records that are not read yet; up to a tenth of a second old. */
  long unread() {
    return Math.max(0, end - read);
  }

  /** Returns the number of records whose points are not in the cache. */
  long lag() {
    long before = kept.sum(); // read first, so that the difference is never too small
    return unread() + Math.max(0, points.sum() - before);
  }

  /** Returns the time in milliseconds since the points that the cache received last were due. */
  long ageMillis() {
    return ageMillis;
  }

  /** Returns the number of records read. */
  long records() {
    return records.sum();
  }

  /** Returns the number of records that are not points. */
  long unreadable() {
    return unreadable.sum();
  }

  /** Stops reading, and commits the offsets of points that are in the cache. */
  @Override
  public void close() {
    closed = true;
    followers.values().forEach(Follower::close);
    try {
      thread.join(2 * PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
