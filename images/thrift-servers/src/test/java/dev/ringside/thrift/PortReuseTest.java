package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.metrics.CloseReason;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that resets its connection connects again from the same port. */
@Timeout(60)
final class PortReuseTest {
  private static final byte[] SOME = Bytes.of("x");

  private final List<String> events = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final TestService service = new TestService();

  PortReuseTest() {
    service.on(
        "wait",
        argument -> {
          started.countDown();
          awaitQuietly(released);
          return argument;
        });
  }

  @Test
  void shouldBeginTheNextConnectionOfAPortAfterTheEndOfTheFirst() throws Exception {
    try (RunningServer server = server()) {
      int port = resetDuringARequest(server);
      try (Client next = server.connectFrom(port);
          Client other = server.connect()) {
        int id = next.send("echo", SOME);
        // The only loop registers connections in their order: it has seen the next one.
        other.call("echo", SOME);
        assertEquals(Arrays.asList("opened", "request"), eventsOf(port));

        released.countDown();
        assertArrayEquals(SOME, next.receive("echo", id));
        assertEquals(
            Arrays.asList("opened", "request", "closed", "opened", "request"), eventsOf(port));
      }
    }
  }

  @Test
  void shouldKeepTheOrderOfAllConnectionsThatWaitForOnePort() throws Exception {
    try (RunningServer server = server()) {
      int port = resetDuringARequest(server);
      int waiting = 5;
      for (int i = 0; i < waiting; i++) {
        Client client = server.connectFrom(port);
        int connections = i + 2;
        RunningServer.await(
            "it is accepted", () -> server.server.core().connections() == connections);
        client.reset();
      }
      try (Client last = server.connectFrom(port)) {
        int id = last.send("echo", SOME);
        released.countDown();
        assertArrayEquals(SOME, last.receive("echo", id));
        List<String> all = eventsOf(port);
        assertEquals("request", all.remove(1));
        assertEquals("request", all.remove(all.size() - 1));
        for (int i = 0; i < all.size(); i++) {
          assertEquals(i % 2 == 0 ? "opened" : "closed", all.get(i), all.toString());
        }
        assertEquals(2 * waiting + 3, all.size());
      }
    }
  }

  /** A handler that never returns must not keep the client's next connections open. */
  @Test
  void shouldCloseAConnectionThatWaitsForAPortForTooLong() throws Exception {
    try (RunningServer server =
        new RunningServer(service, args -> args.stallTimeout(500, TimeUnit.MILLISECONDS))) {
      int port = resetDuringARequest(server);
      try (Client next = server.connectFrom(port)) {
        next.send("echo", SOME);
        assertTrue(next.isClosedByServer());
        assertEquals(1, server.closed(CloseReason.PORT_REUSED));
      } finally {
        released.countDown();
      }
      RunningServer.await("both are gone", () -> server.server.core().connections() == 0);
    }
  }

  @Test
  void shouldStopWhileAConnectionWaits() throws Exception {
    try (RunningServer server = server();
        Client other = server.connect()) {
      int port = resetDuringARequest(server);
      try (Client next = server.connectFrom(port)) {
        next.send("echo", SOME);
        other.call("echo", SOME);
        server.server.stop();
        released.countDown();
        server.awaitEnd();
      }
      List<String> all = eventsOf(port);
      assertEquals(Collections.frequency(all, "opened"), Collections.frequency(all, "closed"));
    }
  }

  private RunningServer server() throws Exception {
    return new RunningServer(
        service, args -> args.selectors(1).connectionListener(new Recorder(events)));
  }

  private static final class Recorder implements ConnectionListener {
    private final List<String> events;

    Recorder(List<String> events) {
      this.events = events;
    }

    @Override
    public void opened(SocketAddress client) {
      add("opened", client);
    }

    @Override
    public void beforeRequest(SocketAddress client, String method) {
      add("request", client);
    }

    @Override
    public void closed(SocketAddress client) {
      add("closed", client);
    }

    private void add(String event, SocketAddress client) {
      events.add(((InetSocketAddress) client).getPort() + " " + event);
    }
  }

  /** Resets a connection while its request runs; returns the port. */
  private int resetDuringARequest(RunningServer server) throws Exception {
    Client first = server.connectFrom(0);
    int port = first.socket().getLocalPort();
    first.send("wait", SOME);
    started.await();
    first.reset();
    return port;
  }

  private List<String> eventsOf(int port) {
    List<String> own = new ArrayList<>();
    synchronized (events) {
      for (String event : events) {
        String[] parts = event.split(" ");
        if (parts[0].equals(String.valueOf(port))) {
          own.add(parts[1]);
        }
      }
    }
    return own;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
