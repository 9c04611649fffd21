package dev.ringside.load;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/** The counters port of a store's pod. */
final class FakeCounters implements AutoCloseable {
  /** The answer to the n-th request, from 1; null for none. */
  interface Answers {
    String to(long number, String id) throws Exception;
  }

  private final DatagramSocket socket;
  private final Answers answers;
  private final AtomicLong asked = new AtomicLong();
  private final Set<String> ids = ConcurrentHashMap.newKeySet();
  private final Thread thread;

  FakeCounters(Answers answers) throws IOException {
    this("127.0.0.1", answers);
  }

  /** Serves on one of the addresses of this host. */
  FakeCounters(String host, Answers answers) throws IOException {
    this.answers = answers;
    socket = new DatagramSocket(0, InetAddress.getByName(host));
    thread = new Thread(this::serve, "fake-counters");
    thread.setDaemon(true);
    thread.start();
  }

  /** Serves the CPU time that a function of the number of requests returns. */
  static FakeCounters cpu(String host, LongUnaryOperator nanos) throws IOException {
    return new FakeCounters(
        host, (number, id) -> "id " + id + "\ncpu_ns " + nanos.applyAsLong(number) + "\n");
  }

  private void serve() {
    DatagramPacket packet = new DatagramPacket(new byte[100], 100);
    while (!socket.isClosed()) {
      try {
        packet.setLength(100);
        socket.receive(packet);
        String question =
            new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
        if (!question.startsWith("counters ")) {
          throw new IllegalStateException("was asked '" + question + "'");
        }
        String id = question.substring("counters ".length());
        ids.add(id);
        String answer = answers.to(asked.incrementAndGet(), id);
        if (answer != null) {
          byte[] bytes = answer.getBytes(StandardCharsets.US_ASCII);
          socket.send(new DatagramPacket(bytes, bytes.length, packet.getSocketAddress()));
        }
      } catch (Exception e) {
        if (!socket.isClosed()) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  Endpoint endpoint() {
    return Endpoint.of(socket.getLocalAddress().getHostAddress() + ":" + socket.getLocalPort());
  }

  /** Returns the number of requests so far. */
  long asked() {
    return asked.get();
  }

  /**
   * Returns the number of readings so far; a repeated request, as on a busy machine, counts once.
   */
  int readings() {
    return ids.size();
  }

  @Override
  public void close() {
    socket.close();
  }
}
