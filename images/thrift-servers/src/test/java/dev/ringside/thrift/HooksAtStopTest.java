package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests that were read before a stop are answered, even if hooks for the end of other
 * connections block: here they wait for the request that has not run yet.
 */
@Timeout(180)
final class HooksAtStopTest {
  /** Larger than socket buffers, so that pipelined requests after it wait. */
  private static final byte[] LARGE = new byte[12 << 20];

  private final CountDownLatch ran = new CountDownLatch(1);
  private final AtomicInteger waiting = new AtomicInteger();
  private final List<Client> idle = new ArrayList<>();

  private final TestService service =
      new TestService().on("large", argument -> LARGE).after("last", () -> ran.countDown());

  private final ConnectionListener hooks =
      new ConnectionListener() {
        @Override
        public void closed(SocketAddress client) {
          waiting.incrementAndGet();
          try {
            ran.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }
      };

  /** Sends a request that is read and waits behind a reply that the client does not read. */
  private Client withARequestThatWaits(RunningServer server) throws Exception {
    Client client = server.connect();
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(Client.frame("large", 1, Bytes.of("x")));
    both.write(Client.frame("last", 2, Bytes.of("x")));
    client.send(both.toByteArray());
    RunningServer.await(
        "the large reply is stuck", () -> server.server.core().run.replies.used() > 0);
    return client;
  }

  private void assertItIsAnswered(Client client) throws Exception {
    assertEquals(LARGE.length, client.receive("large", 1).length);
    assertEquals("x", Bytes.text(client.receive("last", 2)));
  }

  private void closeAll() throws Exception {
    ran.countDown();
    for (Client client : idle) {
      client.close();
    }
  }

  @Test
  void shouldNotKeepALoopFromTheRequestsOfOthers() throws Exception {
    try (RunningServer server =
            new RunningServer(
                service,
                args -> args.selectors(1).linger(0, TimeUnit.SECONDS).connectionListener(hooks));
        Client client = withARequestThatWaits(server)) {
      idle.add(server.connect());
      idle.get(0).call("echo", Bytes.of("x"));
      server.server.stop();
      RunningServer.await("a hook waits", () -> waiting.get() == 1);
      assertItIsAnswered(client);
    } finally {
      closeAll();
    }
  }

  /** Workers that a stop has recalled from their connections call hooks themselves. */
  @Test
  void shouldNotPassForThreadsOnTheirWayToTheRing() throws Exception {
    try (RunningServer server =
            new RunningServer(
                service,
                args ->
                    args.selectors(1)
                        .maxWorkers(64)
                        .inlineLimit(0, TimeUnit.SECONDS)
                        .linger(60, TimeUnit.SECONDS)
                        .connectionListener(hooks));
        Client client = withARequestThatWaits(server)) {
      for (int i = 0; i < 2; i++) {
        idle.add(server.connect());
        idle.get(i).call("echo", Bytes.of("x"));
        int lingering = i + 1;
        RunningServer.await(
            "a worker lingers", () -> server.server.core().workers.roster.lingering() == lingering);
      }
      server.server.stop();
      RunningServer.await("both hooks wait", () -> waiting.get() == 2);
      assertItIsAnswered(client);
    } finally {
      closeAll();
    }
  }
}
