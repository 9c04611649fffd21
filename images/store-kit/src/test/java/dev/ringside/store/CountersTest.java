package dev.ringside.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CountersTest {
  private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();

  private Counters counters;

  @BeforeEach
  void listen() throws IOException {
    counters = new Counters(HOST, 0, System.err);
  }

  @AfterEach
  void close() {
    counters.close();
  }

  @Test
  void shouldTellWhatTheProcessUsedInBetween() throws Exception {
    Map<String, Long> before = ask("counters 7");
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
    long began = ownNanos();
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    long used = ownNanos() - began;
    Map<String, Long> after = ask("counters 18446744073709551615");
    assertEquals(7, before.get("id"));
    long grown = after.get("cpu_ns") - before.get("cpu_ns");
    long tick = TimeUnit.MILLISECONDS.toNanos(10);
    assertTrue(grown > used - tick, () -> grown + " ns, and one thread alone used " + used);
    assertTrue(after.get("gc_count") >= before.get("gc_count"));
  }

  @Test
  void shouldSayNothingToOtherQuestions() throws Exception {
    try (DatagramSocket socket = asking()) {
      for (String question : new String[] {"", "counters", "counters x", "counters -1", "hello"}) {
        send(socket, question);
      }
      send(socket, "counters 3");
      assertEquals(3, hear(socket).get("id"));
    }
  }

  @Test
  void shouldKeepWhatEndedThreadsUsed(@TempDir Path tasks) throws Exception {
    ThreadTimes times = new ThreadTimes(tasks);
    task(tasks, "1", "100 5 1");
    task(tasks, "2", "50 5 1");
    assertEquals(150, times.nanos());
    Files.delete(tasks.resolve("2/schedstat"));
    Files.delete(tasks.resolve("2"));
    task(tasks, "1", "130 5 1");
    assertEquals(180, times.nanos());
    task(tasks, "1", "10 0 1"); // another thread by now
    assertEquals(190, times.nanos());
  }

  private static void task(Path tasks, String number, String text) throws IOException {
    Path task = Files.createDirectories(tasks.resolve(number));
    Files.writeString(task.resolve("schedstat"), text + "\n");
  }

  private Map<String, Long> ask(String question) throws IOException {
    try (DatagramSocket socket = asking()) {
      send(socket, question);
      return hear(socket);
    }
  }

  private DatagramSocket asking() throws IOException {
    DatagramSocket socket = new DatagramSocket();
    socket.connect(InetAddress.getByName(HOST), counters.port());
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static void send(DatagramSocket socket, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    socket.send(new DatagramPacket(bytes, bytes.length));
  }

  private static Map<String, Long> hear(DatagramSocket socket) throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[1400], 1400);
    socket.receive(packet);
    Map<String, Long> told = new LinkedHashMap<>();
    new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII)
        .lines()
        .forEach(line -> told.put(line.split(" ")[0], Long.parseUnsignedLong(line.split(" ")[1])));
    return told;
  }

  /** What this thread used, exactly. */
  private static long ownNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
