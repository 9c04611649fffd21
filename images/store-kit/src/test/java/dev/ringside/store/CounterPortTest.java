package dev.ringside.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CounterPortTest {
  private static final String HERE = "127.0.0.1";

  @Test
  void shouldAnswerAQuestionAndNothingElse() throws Exception {
    try (CounterPort port = new CounterPort(HERE, 0, () -> Map.of("cpu_ns", 7L));
        DatagramSocket client = new DatagramSocket()) {
      client.setSoTimeout(10_000);
      send(client, port.port(), "who is there?");
      send(client, port.port(), "counters 123456789012345678901");
      send(client, port.port(), "counters 42");
      DatagramPacket answer = new DatagramPacket(new byte[1500], 1500);
      client.receive(answer);
      assertEquals(
          "id 42\ncpu_ns 7\n",
          new String(answer.getData(), 0, answer.getLength(), StandardCharsets.US_ASCII));
    }
  }

  private static void send(DatagramSocket client, int port, String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    client.send(new DatagramPacket(bytes, bytes.length, InetAddress.getByName(HERE), port));
  }

  @Test
  void shouldTellWhatOtherThreadsUsedFinerThanInTicksOfTenMilliseconds() throws Exception {
    ProcessCounters counters = new ProcessCounters();
    long before = counters.get().get("cpu_ns");
    Thread worker = new Thread(CounterPortTest::burnThreeMillis);
    worker.start();
    worker.join();
    long used = counters.get().get("cpu_ns") - before;
    assertTrue(used >= TimeUnit.MILLISECONDS.toNanos(3), used + " ns");
    assertTrue(counters.get().get("cpu_ns") % TimeUnit.MILLISECONDS.toNanos(10) != 0);
    assertTrue(counters.get().keySet().containsAll(Set.of("gc_pause_ms", "gc_count")));
  }

  private static void burnThreeMillis() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + TimeUnit.MILLISECONDS.toNanos(3);
    while (threads.getCurrentThreadCpuTime() < end) {
      Thread.onSpinWait();
    }
  }
}
