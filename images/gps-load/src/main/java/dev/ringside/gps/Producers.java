package dev.ringside.gps;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Producers by their brokers: all clients of a process share one, as they would in an application.
 * A record counts as sent when every replica in sync has it, none is sent twice, and those of a
 * partition keep their order.
 */
final class Producers implements AutoCloseable {
  private static final String ALL_REPLICAS = "all";

  private final Map<String, Producer<byte[], byte[]>> byBrokers = new HashMap<>();
  private final int timeoutMillis;

  /** Of none yet; a record that is not taken in that time has failed. */
  Producers(int timeoutMillis) {
    this.timeoutMillis = timeoutMillis;
  }

  /** That of the brokers, {@code host:port,...}. */
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
            // Nothing waits for company: packets are what is due together.
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
