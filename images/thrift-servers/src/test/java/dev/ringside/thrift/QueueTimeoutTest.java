package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that requests are answered and not run if they have waited too long for a worker. */
@Timeout(180)
final class QueueTimeoutTest {
  private static final long TIMEOUT_NANOS = TimeUnit.HOURS.toNanos(1);

  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger ran = new AtomicInteger();

  private final TestService service =
      new TestService()
          .holding("hold", entered, release)
          .after("count", () -> ran.incrementAndGet());

  private RunningServer server(long timeoutNanos) throws Exception {
    return new RunningServer(
        service,
        args ->
            args.maxWorkers(1)
                .inlineLimit(0, TimeUnit.SECONDS)
                .queueTimeout(timeoutNanos, TimeUnit.NANOSECONDS));
  }

  /** Lets requests wait for the only worker, as if for longer than the timeout. */
  private void delay(RunningServer server, Client holds, Client waits) throws Exception {
    holds.send(Client.frame("hold", 1, Bytes.of("held")));
    entered.await();
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    batch.write(Client.frame("count", 1, new byte[1]));
    batch.write(
        Client.frame(new TBinaryProtocol.Factory(), "count", TMessageType.ONEWAY, 2, new byte[1]));
    batch.write(Client.frame("count", 3, new byte[1]));
    waits.send(batch.toByteArray());
    RunningServer.await(
        "they are in the ring", () -> server.server.core().workers.ring.occupancy() > 0);
    server.connection(waits).handedOffAt -= 2 * TIMEOUT_NANOS;
    release.countDown();
    assertEquals("held", Bytes.text(holds.receive("hold", 1)));
  }

  @Test
  void shouldAnswerRequestsThatHaveWaitedTooLong() throws Exception {
    try (RunningServer server = server(TIMEOUT_NANOS);
        Client holds = server.connect();
        Client waits = server.connect()) {
      delay(server, holds, waits);
      for (int id : new int[] {1, 3}) {
        TApplicationException late =
            assertThrows(TApplicationException.class, () -> waits.receive("count", id));
        assertEquals(TApplicationException.INTERNAL_ERROR, late.getType());
        assertEquals("Waited too long for a worker: count", late.getMessage());
      }
      assertEquals(3, server.metrics().expired.sum());
      assertEquals(0, ran.get());
      waits.call("count", new byte[1]);
      assertEquals(1, ran.get());
      assertEquals(3, server.metrics().expired.sum());
    }
  }

  @Test
  void shouldRunAllRequestsWithoutATimeout() throws Exception {
    try (RunningServer server = server(0);
        Client holds = server.connect();
        Client waits = server.connect()) {
      delay(server, holds, waits);
      waits.receive("count", 1);
      waits.receive("count", 3);
      assertEquals(3, ran.get());
      assertEquals(0, server.metrics().expired.sum());
    }
  }
}
