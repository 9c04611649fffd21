package dev.ringside.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CounterPortTest {
  private final AtomicLong readings = new AtomicLong();
  private final AtomicLong failing = new AtomicLong();
  private final Queue<String> warnings = new ConcurrentLinkedQueue<>();
  private InetSocketAddress address;
  private CounterPort port;
  private DatagramSocket client;

  @BeforeEach
  void open() throws Exception {
    client = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    client.setSoTimeout(30_000);
    address = freeAddress();
    port =
        new CounterPort(
            address,
            Map.of(
                Question.COUNTERS,
                () -> {
                  if (failing.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("on purpose");
                  }
                  return new TreeMap<>(
                      Map.of("cpu_ns", 7L, "readings", readings.incrementAndGet()));
                },
                Question.SIZES,
                () -> Map.of("live_bytes", 12L),
                Question.EVENTS,
                () -> Map.of("hints_kept", 3L)),
            warnings::add);
  }

  private static InetSocketAddress freeAddress() throws Exception {
    try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), free.getLocalPort());
    }
  }

  @AfterEach
  void close() {
    port.close();
    client.close();
  }

  @Test
  void shouldAnswerWithTheNumberOfTheQuestion() throws Exception {
    ask("counters 17\n");
    assertEquals("id 17\ncpu_ns 7\nreadings 1\n", answer());
    ask("counters 18446744073709551615");
    assertEquals("id 18446744073709551615\ncpu_ns 7\nreadings 2\n", answer());
  }

  /** Repeated, because it is random whether the thread already waits in the port. */
  @Test
  void shouldLeaveThePortFreeOnceItIsClosed() throws Exception {
    InetSocketAddress own = freeAddress();
    for (int i = 0; i < 200; i++) {
      CounterPort opened = new CounterPort(own, Map.of(), warnings::add);
      if (i % 2 == 1) {
        client.send(new DatagramPacket("counters 1".getBytes(StandardCharsets.US_ASCII), 10, own));
        answer();
      }
      opened.close();
      new DatagramSocket(own).close();
    }
  }

  @Test
  void shouldIgnoreWhatIsNoQuestion() throws Exception {
    for (String nonsense :
        new String[] {
          "",
          "counters",
          "counters -1",
          "COUNTERS 1",
          "sizes",
          "lengths 1",
          "counters 123456789012345678901",
          "x".repeat(9_000)
        }) {
      ask(nonsense);
    }
    ask("counters 1");
    assertEquals("id 1\ncpu_ns 7\nreadings 1\n", answer());
  }

  @Test
  void shouldTellSizesAndEventsOnlyToWhoAsksForThem() throws Exception {
    ask("sizes 3");
    assertEquals("id 3\nlive_bytes 12\n", answer());
    ask("events 4");
    assertEquals("id 4\nhints_kept 3\n", answer());
    assertEquals(0, readings.get(), "the counters were not read");
  }

  @Test
  void shouldAnswerThatItKnowsNoSizesAndNoEvents() throws Exception {
    port.close();
    address = freeAddress(); // the kernel may need some time to release the other one
    port =
        new CounterPort(
            address, Map.of(Question.COUNTERS, () -> Map.of("cpu_ns", 7L)), warnings::add);
    ask("sizes 4");
    assertEquals("id 4\n", answer());
    ask("events 5");
    assertEquals("id 5\n", answer());
  }

  @Test
  void shouldAnswerTheNextQuestionAfterOneThatFailed() throws Exception {
    failing.set(1);
    ask("counters 1");
    ask("counters 2");
    assertEquals("id 2\ncpu_ns 7\nreadings 1\n", answer());
    assertEquals(1, warnings.size(), warnings::toString);
  }

  @Test
  void shouldNameThePortThatIsInUse() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new CounterPort(address, Map.of(), warnings::add).close());
    assertTrue(
        e.getMessage().contains(":" + address.getPort() + "/udp for counters: is the port in use?"),
        e::getMessage);
  }

  private void ask(String question) throws Exception {
    byte[] bytes = question.getBytes(StandardCharsets.US_ASCII);
    client.send(new DatagramPacket(bytes, bytes.length, address));
  }

  private String answer() throws Exception {
    DatagramPacket packet = new DatagramPacket(new byte[1_500], 1_500);
    client.receive(packet);
    return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
  }
}
