package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A reply waits for no other request, neither a later one of its connection nor one of another
 * connection.
 */
@Timeout(180)
@ParameterizedClass
@EnumSource(
    value = Wiring.class,
    names = {"TCP", "TLS_1_3"})
final class PromptReplyTest {
  @Parameter Wiring wiring;

  private static byte[] both(byte[]... frames) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      all.write(frame);
    }
    return all.toByteArray();
  }

  /**
   * The client lets the second request end only after the reply to the first. A server that sends
   * both replies together would never send any.
   */
  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void shouldSendAReplyThoughTheNextRequestNeverEnds(boolean known, boolean handedOff)
      throws Exception {
    AtomicBoolean holds = new AtomicBoolean();
    CountDownLatch release = new CountDownLatch(1);
    TestService service =
        new TestService()
            .on(
                "next",
                argument -> {
                  if (holds.get()) {
                    release.await();
                  }
                  return argument;
                });
    try (RunningServer server =
            new RunningServer(
                wiring,
                service,
                args -> args.inlineLimit(handedOff ? 0 : 250, TimeUnit.MICROSECONDS));
        Client client = server.connect()) {
      for (int i = 0; known && i < 100; i++) {
        client.call("next", Bytes.of("quick"));
      }
      holds.set(true);
      client.send(
          both(Client.frame("echo", 1, Bytes.of("a")), Client.frame("next", 2, new byte[1])));
      assertEquals("a", Bytes.text(client.receive("echo", 1)));
      release.countDown();
      client.receive("next", 2);
      assertEquals("after", Bytes.text(client.call("echo", Bytes.of("after"))));
    }
  }

  /** The same with so many pipelined requests that they need several reads. */
  @Test
  void shouldKeepOrderWhenALeaderIsDeposedInTheMiddleOfABatch() throws Exception {
    AtomicBoolean holds = new AtomicBoolean();
    TestService service =
        new TestService()
            .on(
                "next",
                argument -> {
                  if (holds.get() && argument[0] == 7) {
                    Thread.sleep(20);
                  }
                  return argument;
                });
    try (RunningServer server = new RunningServer(wiring, service);
        Client client = server.connect()) {
      for (int round = 0; round < 30; round++) {
        holds.set(false);
        for (int i = 0; i < 300; i++) {
          client.call("next#" + round, new byte[] {1});
        }
        holds.set(true);
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        for (int i = 0; i < 40; i++) {
          batch.write(Client.frame("next#" + round, i, new byte[] {(byte) (i % 10)}));
        }
        client.send(batch.toByteArray());
        for (int i = 0; i < 40; i++) {
          assertEquals((byte) (i % 10), client.receive("next#" + round, i)[0]);
        }
      }
      assertTrue(server.metrics().promotions.sum() > 0);
    }
  }

  /** Java reports a thread in a socket's read as running. */
  @Test
  void shouldHandOffAMethodThatWaitsInASocket() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket in = new Socket(listener.getInetAddress(), listener.getLocalPort());
        Socket out = listener.accept()) {
      TestService service =
          new TestService()
              .on(
                  "wait",
                  argument -> {
                    // No bytes arrive: the read waits for the timeout.
                    in.setSoTimeout(3);
                    try {
                      in.getInputStream().read();
                    } catch (java.net.SocketTimeoutException e) {
                      return argument;
                    }
                    throw new IllegalStateException("something came");
                  });
      try (RunningServer server =
              new RunningServer(
                  wiring, service, args -> args.selectors(1).linger(0, TimeUnit.SECONDS));
          Client client = server.connect()) {
        int calls = 0;
        while (server.handedOff() < 40) {
          client.call("wait", Bytes.of("x"));
          assertTrue(++calls < 400, "it is never found out");
        }
      }
      out.close();
    }
  }
}
