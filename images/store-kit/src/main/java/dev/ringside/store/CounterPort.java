package dev.ringside.store;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The counters port of a store (charts/README.md): answers {@code counters <id>} with one datagram
 * of {@code name value} lines. One daemon thread, which sleeps until it is asked.
 */
public final class CounterPort implements AutoCloseable {
  private static final Pattern REQUEST = Pattern.compile("counters ([0-9]{1,20})\\s*");
  private static final int MAX_REQUEST_BYTES = 64;

  private final DatagramSocket socket;
  private final Supplier<Map<String, Long>> counters;

  /**
   * Bound, and answering.
   *
   * @param port UDP; 0 for any that is free
   * @param counters asked by one thread
   * @throws IOException if the port cannot be had
   */
  public CounterPort(String address, int port, Supplier<Map<String, Long>> counters)
      throws IOException {
    this.counters = counters;
    socket = new DatagramSocket(new InetSocketAddress(address, port));
    Thread thread = new Thread(this::serve, "counters");
    thread.setDaemon(true);
    thread.start();
  }

  /** Where it listens. */
  public int port() {
    return socket.getLocalPort();
  }

  private void serve() {
    DatagramPacket packet = new DatagramPacket(new byte[MAX_REQUEST_BYTES], MAX_REQUEST_BYTES);
    while (!socket.isClosed()) {
      try {
        packet.setLength(MAX_REQUEST_BYTES);
        socket.receive(packet);
        Matcher request = REQUEST.matcher(ascii(packet));
        if (request.matches()) {
          byte[] answer = answer(request.group(1)).getBytes(StandardCharsets.US_ASCII);
          socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
        }
      } catch (IOException | RuntimeException e) {
        // Whoever asked goes without.
        if (!socket.isClosed()) {
          System.err.println("store-kit: a question for counters was not answered: " + e);
        }
      }
    }
  }

  private static String ascii(DatagramPacket packet) {
    return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
  }

  private String answer(String id) {
    StringBuilder answer = new StringBuilder("id ").append(id).append('\n');
    counters.get().forEach((name, value) -> answer.append(name + ' ' + value + '\n'));
    return answer.toString();
  }

  @Override
  public void close() {
    socket.close();
  }
}
