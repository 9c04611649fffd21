package dev.ringside.store;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The counters port (charts/README.md): answers {@code counters <id>} with one datagram that tells
 * what the process used so far. One daemon thread, which sleeps until it is asked.
 */
public final class Counters implements AutoCloseable {
  private static final Pattern REQUEST = Pattern.compile("counters ([0-9]{1,20})\\s*");
  private static final int MAX_REQUEST_BYTES = 64;

  private final DatagramSocket socket;
  private final ThreadTimes times = new ThreadTimes(Path.of("/proc/self/task"));
  private final PrintStream err;

  /**
   * Bound, and answering.
   *
   * @param port 0 for any that is free
   * @param err for a question that could not be answered
   */
  public Counters(String address, int port, PrintStream err) throws IOException {
    this.err = err;
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
          err.println("a question for counters was not answered: " + e);
        }
      }
    }
  }

  private static String ascii(DatagramPacket packet) {
    return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
  }

  private String answer(String id) throws IOException {
    StringBuilder answer = new StringBuilder("id ").append(id).append('\n');
    figures().forEach((name, value) -> answer.append(name).append(' ').append(value).append('\n'));
    return answer.toString();
  }

  private Map<String, Long> figures() throws IOException {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("cpu_ns", times.nanos());
    long pauses = 0;
    long collections = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      pauses += Math.max(0, collector.getCollectionTime());
      collections += Math.max(0, collector.getCollectionCount());
    }
    figures.put("gc_pause_ms", pauses);
    figures.put("gc_count", collections);
    return figures;
  }

  @Override
  public void close() {
    socket.close();
  }
}
