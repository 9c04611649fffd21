package dev.ringside.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.server.ServerType;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server with delayed replies. */
@Timeout(120)
final class HoldTest {
  private static final int CALLS = 40;
  private static final long METHOD_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** A share of 1 delays each reply by at least the handler's own time. */
  @Test
  void shouldHoldTheRepliesOfEachConnectionByTheShareOfItsOwnTime() throws Exception {
    AtomicLong called = new AtomicLong();
    try (HostedNode node =
            new HostedNode(
                "threadpool",
                Map.of("RINGSIDE_HOLD", "1"),
                new CountingSessions(),
                HostedNode.handler(
                    method -> {
                      HeldTransport.rest(METHOD_NANOS);
                      called.incrementAndGet();
                      return "19.39.0";
                    }));
        HostedNode.Client client = node.connect()) {
      client.calls.describe_version();
      long start = System.nanoTime();
      for (int i = 1; i < CALLS; i++) {
        assertEquals("19.39.0", client.calls.describe_version());
      }
      long took = System.nanoTime() - start;
      assertEquals(CALLS, called.get(), "each call runs once");
      assertTrue(
          took >= 2 * METHOD_NANOS * (CALLS - 2), () -> CALLS + " calls took " + took + " ns");
    }
  }

  @Test
  void shouldSendNothingWhileAReplyIsHeld() throws Exception {
    TMemoryBuffer sent = new TMemoryBuffer(16);
    long[] now = {0};
    int[] waits = {0};
    HeldTransport transport =
        new HeldTransport(
            new TMemoryBuffer(16) {
              @Override
              public void flush() {
                sent.write(getArray(), 0, length());
              }
            },
            new HeldReplies(
                Share.of("1"),
                () -> now[0],
                nanos -> {
                  assertEquals(4, sent.length());
                  waits[0]++;
                  now[0] += nanos;
                }));
    transport.write(new byte[4], 0, 4);
    transport.flush();
    now[0] += METHOD_NANOS;
    transport.write(new byte[4], 0, 4);
    transport.flush();
    assertEquals(1, waits[0]);
    assertEquals(2 * METHOD_NANOS, now[0]);
    assertEquals(12, sent.length(), "four bytes, and then both fours");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "THREADPOOL")
  void shouldRefuseAServerWhoseConnectionsShareThreads(ServerType type) {
    String option = "RINGSIDE_" + type.name() + "_HOLD";
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> hosted(type.id(), Map.of(option, "0.05")));
    assertTrue(
        e.getMessage().startsWith(option + " (or RINGSIDE_HOLD) is '0.05': give it to threadpool"),
        e.getMessage());
  }

  @Test
  void shouldRefuseAShareThatIsNone() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> hosted("threadpool", Map.of("RINGSIDE_THREADPOOL_HOLD", "5")));
    assertTrue(
        e.getMessage().startsWith("RINGSIDE_THREADPOOL_HOLD (or RINGSIDE_HOLD) is '5': give"),
        e.getMessage());
  }

  private static void hosted(String servers, Map<String, String> options) throws Exception {
    new HostedNode(servers, options, new CountingSessions(), HostedNode.handler(method -> ""))
        .close();
  }
}
