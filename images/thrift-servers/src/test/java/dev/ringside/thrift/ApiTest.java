package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.thrift.TApplicationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what a user of the library has besides serve() and stop(). */
@Timeout(60)
final class ApiTest {
  private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);

  private static TDisruptorServer.Args args() throws Exception {
    return new TDisruptorServer.Args(ANY, 100).processor(new TestService());
  }

  @Test
  void shouldServeOnAFreePortFromStartToClose() throws Exception {
    int port;
    try (TDisruptorServer server = new TDisruptorServer(args())) {
      assertNull(server.localAddress());
      server.start();
      assertTrue(server.isServing());
      port = ((InetSocketAddress) server.localAddress()).getPort();
      try (Client client = new Client(port)) {
        assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
      }
      assertThrows(IllegalStateException.class, server::start);
      assertTrue(server.isServing());
    }
    assertThrows(IOException.class, () -> new Client(port));
  }

  @Test
  void shouldSayWhyItCannotStart() throws Exception {
    try (TDisruptorServer server = new TDisruptorServer(args())) {
      server.start();
      server.close();
      assertFalse(server.isServing());
      IllegalStateException refused = assertThrows(IllegalStateException.class, server::start);
      assertTrue(refused.getMessage().contains("cannot serve twice"), refused.getMessage());
    }
  }

  @Test
  void shouldCloseAServerThatWasNeverStarted() throws Exception {
    new TDisruptorServer(args()).close();
  }

  @Test
  void shouldSetOptionsOfSockets() throws Exception {
    try (RunningServer server =
            new RunningServer(
                new TestService(),
                args ->
                    args.socketOption(StandardSocketOptions.SO_KEEPALIVE, false)
                        .socketOption(StandardSocketOptions.SO_SNDBUF, 32 << 10));
        Client client = server.connectAndCall("echo")) {
      assertFalse(server.connection(client).channel.getOption(StandardSocketOptions.SO_KEEPALIVE));
      // The kernel doubles it.
      int buffer = server.connection(client).channel.getOption(StandardSocketOptions.SO_SNDBUF);
      assertTrue(buffer <= 64 << 10, buffer + " bytes");
    }
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new TDisruptorServer(
                    args().socketOption(StandardSocketOptions.IP_MULTICAST_LOOP, true)));
    assertTrue(refused.getMessage().contains("IP_MULTICAST_LOOP"), refused.getMessage());
  }

  @Test
  void shouldTellAListenerMethodOutcomeAndDuration() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    ConnectionListener listener =
        new ConnectionListener() {
          @Override
          public void beforeRequest(SocketAddress client, String method) {
            told.add(method);
          }

          @Override
          public void afterRequest(
              SocketAddress client, String method, Outcome outcome, long nanos) {
            told.add(method + " " + outcome + " " + (nanos > 1_000_000));
            throw new IllegalStateException("on purpose");
          }
        };
    TestService service =
        new TestService()
            .after("slow", () -> Thread.sleep(2))
            .on(
                "fail",
                argument -> {
                  Thread.sleep(2);
                  throw new IllegalStateException("on purpose");
                });
    try (RunningServer server =
            new RunningServer(service, args -> args.connectionListener(listener));
        Client client = server.connect()) {
      client.call("slow", new byte[1]);
      assertThrows(TApplicationException.class, () -> client.call("fail", new byte[1]));
      byte[] unreadable = Client.frame("slow", 1, new byte[20]);
      unreadable[unreadable.length - 25] = 127;
      client.send(unreadable);
      assertTrue(client.isClosedByServer());
    }
    assertEquals(
        Arrays.asList("slow", "slow ANSWERED true", "fail", "fail FAILED true", "slow"),
        told.subList(0, 5));
    assertTrue(told.get(5).startsWith("slow UNREADABLE"), told.get(5));
  }
}
