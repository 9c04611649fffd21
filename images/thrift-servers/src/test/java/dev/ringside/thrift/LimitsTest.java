package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.metrics.CloseReason;
import java.lang.ref.WeakReference;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class LimitsTest {
  @Test
  void shouldRefuseConnectionsAboveTheLimitAndAcceptAgainBelowIt() throws Exception {
    try (RunningServer server =
            new RunningServer(new TestService(), args -> args.maxConnections(2));
        Client first = server.connect();
        Client second = server.connect()) {
      assertEquals("x", Bytes.text(first.call("echo", Bytes.of("x"))));
      assertEquals("x", Bytes.text(second.call("echo", Bytes.of("x"))));
      try (Client third = server.connect()) {
        assertTrue(third.isClosedByServer());
      }
      assertEquals(1, server.closed(CloseReason.LIMIT));
      second.close();
      RunningServer.await("there is room", () -> server.server.core().connections() == 1);
      try (Client fourth = server.connect()) {
        assertEquals("x", Bytes.text(fourth.call("echo", Bytes.of("x"))));
      }
    }
  }

  @Test
  void shouldServeAFewAmongTenThousandIdleConnections() throws Exception {
    int idle = 10_000;
    try (RunningServer server =
        new RunningServer(new TestService(), args -> args.idleTimeout(1, TimeUnit.HOURS))) {
      Load.run(server, 4, 50, "echo", new Random(4));
      RunningServer.await("the load has gone", () -> server.server.core().connections() == 0);
      long before = used();
      Process clients = IdleClients.start(server.port, idle);
      try {
        RunningServer.await("all are open", () -> server.server.core().connections() == idle);
        Load.run(server, 4, 50, "echo", new Random(4));
        long each = (used() - before) / idle;
        assertTrue(each < 6000, "an idle connection holds " + each + " bytes");
        assertEquals(0, server.server.core().run.requests.held());
      } finally {
        clients.destroy();
        clients.waitFor();
      }
      RunningServer.await("all have gone", () -> server.server.core().connections() == 0);
    }
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void shouldKeepNothingOfAConnectionThatHasEnded() throws Exception {
    try (RunningServer server = new RunningServer(new TestService(), args -> args.selectors(1))) {
      WeakReference<Object> ended;
      try (Client client = server.connectAndCall("echo")) {
        ended = new WeakReference<>(server.connection(client));
      }
      RunningServer.await(
          "it is collected",
          () -> {
            System.gc();
            return ended.get() == null;
          });
    }
  }

  @Test
  void shouldTakeTheLargestNumberForOneThatIsTooLarge() throws Exception {
    try (RunningServer server =
        new RunningServer(
            new TestService(),
            args -> args.selectors(Integer.MAX_VALUE).ringSize(Integer.MAX_VALUE))) {
      int processors = Runtime.getRuntime().availableProcessors();
      assertEquals(Math.max(16, 2 * processors), server.server.core().loops.size());
      assertEquals(1 << 20, server.server.core().workers.ring.size());
    }
  }

  /** The same -Xmx must do for a server with any settings, so limits follow from it. */
  @Test
  void shouldLimitMemoryByWhatTheJvmHas() {
    assertEquals(
        Runtime.getRuntime().maxMemory() / 4, ServerOption.MAX_READ_BUFFER_BYTES.otherwise());
  }

  @Test
  void shouldNameTheOptionThatMakesNoSense() throws Exception {
    try (TNonblockingServerSocket socket = new TNonblockingServerSocket(RunningServer.freePort())) {
      TDisruptorServer.Args args = new TDisruptorServer.Args(socket);
      assertEquals(
          "selectors is 0: give at least 1",
          assertThrows(IllegalArgumentException.class, () -> args.selectors(0)).getMessage());
      assertEquals(
          "ringSize is -7: give at least 1",
          assertThrows(IllegalArgumentException.class, () -> args.ringSize(-7)).getMessage());
      assertThrows(IllegalArgumentException.class, () -> args.threadFactory(null));
    }
  }
}
