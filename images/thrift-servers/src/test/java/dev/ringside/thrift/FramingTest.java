package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.metrics.CloseReason;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TApplicationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
@ParameterizedClass
@EnumSource(Wiring.class)
final class FramingTest {
  @Parameter Wiring wiring;

  /** A client that has sent such a frame reads the answer, though nobody has read the frame. */
  @Test
  void shouldAnswerAFrameThatIsTooLarge() throws Exception {
    try (RunningServer server =
            new RunningServer(wiring, new TestService(), args -> args.maxFrameBytes(100_000));
        Client client = server.connect()) {
      assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
      client.send(Client.frame("echo", 2, new byte[8 << 20]));
      TApplicationException refused =
          assertThrows(TApplicationException.class, () -> client.receive("echo", 2));
      assertEquals(TApplicationException.PROTOCOL_ERROR, refused.getType());
      assertTrue(client.isClosedByServer());
      client.close();
      RunningServer.await("it is gone", () -> server.server.core().connections() == 0);
    }
  }

  /** One that goes on without an end must not keep its connection. */
  @Test
  void shouldCloseAClientThatIgnoresThatItsFrameIsTooLarge() throws Exception {
    try (RunningServer server =
            new RunningServer(
                wiring,
                new TestService(),
                args -> args.maxFrameBytes(100_000).stallTimeout(1, TimeUnit.SECONDS));
        Client client = server.connectAndCall("echo")) {
      client.send(Client.frame("echo", 2, new byte[1 << 20]));
      assertThrows(TApplicationException.class, () -> client.receive("echo", 2));
      RunningServer.await("it is cut off", () -> server.server.core().connections() == 0);
      assertEquals(1, server.closed(CloseReason.BAD_FRAME));
    }
  }

  private static final int MAX_FRAME = 1 << 20;

  private RunningServer server() throws Exception {
    return new RunningServer(
        wiring,
        new TestService(),
        args -> args.maxFrameBytes(MAX_FRAME).stallTimeout(10, TimeUnit.SECONDS));
  }

  @Test
  void shouldAnswerAFrameThatComesByteByByte() throws Exception {
    try (RunningServer server = server();
        Client client = server.connect()) {
      byte[] payload = Bytes.of("slowly");
      byte[] frame = Client.frame("echo", 1, payload);
      for (byte b : frame) {
        client.send(new byte[] {b});
      }
      assertArrayEquals(payload, client.receive("echo", 1));
    }
  }

  @Test
  void shouldAnswerWhateverWayTheStreamIsCut() throws Exception {
    Random random = new Random(42);
    try (RunningServer server = server();
        Client client = server.connect()) {
      for (int round = 0; round < 30; round++) {
        int requests = 1 + random.nextInt(20);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        byte[][] payloads = new byte[requests][];
        for (int i = 0; i < requests; i++) {
          int length = random.nextInt(5) == 0 ? random.nextInt(200_000) : random.nextInt(300);
          payloads[i] = Bytes.random(random, length);
          stream.write(Client.frame("echo", i, payloads[i]));
        }
        byte[] all = stream.toByteArray();
        Thread sender =
            new Thread(
                () -> {
                  Random cuts = new Random(all.length);
                  int at = 0;
                  try {
                    while (at < all.length) {
                      int bound = cuts.nextBoolean() ? 7 : 100_000;
                      int to = Math.min(all.length, at + 1 + cuts.nextInt(bound));
                      client.send(Arrays.copyOfRange(all, at, to));
                      at = to;
                    }
                  } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
        sender.start();
        for (int i = 0; i < requests; i++) {
          assertArrayEquals(payloads[i], client.receive("echo", i));
        }
        sender.join();
      }
      assertEquals(0, server.server.core().run.requests.held());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, MAX_FRAME + 1, 0x47455420})
  void shouldCutOffAClientThatAnnouncesAnImpossibleFrame(int length) throws Exception {
    try (RunningServer server = server();
        Client neighbour = server.connect();
        Client client = server.connect()) {
      client.send(ByteBuffer.allocate(20).putInt(length).array());
      assertTrue(client.isClosedByServer());
      assertEquals("fine", Bytes.text(neighbour.call("echo", Bytes.of("fine"))));
      assertEquals(1, server.closed(CloseReason.BAD_FRAME));
      assertEquals(0, server.server.core().run.requests.held());
    }
  }

  @Test
  void shouldAnswerWhatCameBeforeAnImpossibleFrame() throws Exception {
    try (RunningServer server = server();
        Client client = server.connect()) {
      byte[] good = Client.frame("echo", 1, Bytes.of("good"));
      client.send(ByteBuffer.allocate(good.length + 4).put(good).putInt(-5).array());
      assertEquals("good", Bytes.text(client.receive("echo", 1)));
      assertTrue(client.isClosedByServer());
    }
  }

  @Test
  void shouldAcceptTheLargestFrameThatIsAllowed() throws Exception {
    try (RunningServer server = server();
        Client client = server.connect()) {
      int overhead = Client.frame("echo", 1, new byte[0]).length - 4;
      byte[] payload = Bytes.random(new Random(3), MAX_FRAME - overhead);
      assertArrayEquals(payload, client.call("echo", payload));
    }
  }

  @Test
  void shouldSurviveGarbageInsideFrames() throws Exception {
    Random random = new Random(7);
    try (RunningServer server = server();
        Client neighbour = server.connect()) {
      // A client that begins no handshake is cut off after the stall timeout, and all of this may
      // take longer on a busy machine.
      assertEquals("here", Bytes.text(neighbour.call("echo", Bytes.of("here"))));
      for (int i = 0; i < 300; i++) {
        try (Client client = server.connect()) {
          int length = 1 + random.nextInt(200);
          byte[] garbage = Bytes.random(random, length);
          if (random.nextBoolean()) {
            // the start of a valid message, then random bytes
            byte[] good = Client.frame("echo", i, Bytes.random(random, 50));
            System.arraycopy(good, 4, garbage, 0, Math.min(random.nextInt(60), length));
          }
          client.send(ByteBuffer.allocate(4 + length).putInt(length).put(garbage).array());
          client.socket().shutdownOutput();
          // An answer, an exception or the end of the stream: the read must not time out.
          client.readToTheEnd();
        }
      }
      assertEquals("fine", Bytes.text(neighbour.call("echo", Bytes.of("fine"))));
    }
  }

  @Test
  void shouldNotAllocateWhatAFrameOnlyAnnounces() throws Exception {
    try (RunningServer server = server()) {
      Client[] clients = new Client[50];
      for (int i = 0; i < clients.length; i++) {
        clients[i] = server.connect();
        clients[i].send(ByteBuffer.allocate(14).putInt(MAX_FRAME).array());
      }
      RunningServer.await("all have been read", () -> server.metrics().bytesRead.sum() == 50 * 14L);
      try (Client neighbour = server.connect()) {
        assertEquals("fine", Bytes.text(neighbour.call("echo", Bytes.of("fine"))));
      }
      for (Client client : clients) {
        client.close();
      }
      RunningServer.await(
          "all memory is back", () -> server.server.core().run.requests.held() == 0);
    }
  }
}
