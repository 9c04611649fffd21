package dev.ringside.gps;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Creates one producer for each list of brokers. All clients of the process share it, as in an
 * application. A record is sent when all in-sync replicas have it. Records are not duplicated, and
 * those of a partition keep their order.
 */
final class Producers implements AutoCloseable {
  private static final String ALL_REPLICAS = "all";

  private final Map<String, Producer<byte[], byte[]>> byBrokers = new HashMap<>();
  private final int timeoutMillis;

  /**
   * Creates an empty set.
   *
   * @param timeoutMillis after which a record that is not sent has failed
   */
  Producers(int timeoutMillis) {
    this.timeoutMillis = timeoutMillis;
  }

  /** Returns the producer of brokers {@code host:port,...}. */
  synchronized Producer<byte[], byte[]> of(String brokers) {
    return byBrokers.computeIfAbsent(brokers, this::make);
  }

  private Producer<byte[], byte[]> make(String brokers) {
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers,
            ProducerConfig.CLIENT_ID_CONFIG, "gps-load",
            ProducerConfig.ACKS_CONFIG, ALL_REPLICAS,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true,
            // No delay to fill batches: the points that are due together are one packet.
            ProducerConfig.LINGER_MS_CONFIG, 0,
            ProducerConfig.MAX_BLOCK_MS_CONFIG, timeoutMillis,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMillis);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public synchronized void close() {
    byBrokers.values().forEach(producer -> producer.close(Duration.ofMillis(timeoutMillis)));
    byBrokers.clear();
  }
}
