package dev.ringside.gps;

import dev.ringside.load.Endpoint;
import dev.ringside.trip.stream.Acknowledgement;
import dev.ringside.trip.stream.FedPoint;
import dev.ringside.trip.stream.Feed;
import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.StreamSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/**
 * Sends points to the store's topic, one record each, and receives acknowledgements from the store
 * on a connection. An operation ends when its points are in the cache, not when they are in the
 * topic.
 */
final class TopicRoute implements Route {
  private final StreamSocket socket;
  private final Feed feed;
  private final Producer<byte[], byte[]> producer;

  private TopicRoute(StreamSocket socket, Feed feed, Producer<byte[], byte[]> producer) {
    this.socket = socket;
    this.feed = feed;
    this.producer = producer;
  }

  static TopicRoute open(Endpoint server, int timeoutMillis, Producers producers)
      throws IOException {
    StreamSocket socket = StreamSocket.follow(server.host(), server.port(), timeoutMillis);
    try {
      Feed feed = socket.feed();
      Producer<byte[], byte[]> producer = producers.of(feed.brokers());
      // Verifies that the topic exists before the load begins.
      producer.partitionsFor(feed.topic());
      return new TopicRoute(socket, feed, producer);
    } catch (KafkaException e) {
      socket.close();
      throw new IOException("the store's broker does not answer: " + e, e);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public void send(List<Point> points, long dueNanos) throws IOException {
    long dueMillis =
        System.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - dueNanos);
    List<Future<RecordMetadata>> sent = new ArrayList<>(points.size());
    try {
      for (Point point : points) {
        FedPoint fed = new FedPoint(feed.sender(), point);
        sent.add(
            producer.send(
                new ProducerRecord<>(feed.topic(), null, dueMillis, fed.key(), fed.value())));
      }
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
    } catch (ExecutionException | KafkaException e) {
      throw new IOException("the broker did not take a point: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public Acknowledgement acknowledgement() throws IOException {
    return socket.acknowledgement();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // nothing depends on the result
    }
  }
}
