package dev.ringside.thrift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.thrift.internal.metrics.CloseReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests clients that announce large frames, send little or read nothing: they must not affect other
 * clients.
 */
@Timeout(180)
@ParameterizedClass
@EnumSource(Wiring.class)
final class StrangersTest {
  @Parameter Wiring wiring;

  private static void closeAll(List<Client> clients) throws Exception {
    for (Client client : clients) {
      client.close();
    }
  }

  @Test
  void shouldChargeWhatHasComeAndNotWhatIsAnnounced() throws Exception {
    List<Client> strangers = new ArrayList<>();
    try (RunningServer server = new RunningServer(wiring, new TestService())) {
      byte[] announcement = ByteBuffer.allocate(5).putInt(16_384_000).array();
      for (int i = 0; i < 40; i++) {
        Client stranger = server.connect();
        stranger.send(announcement);
        strangers.add(stranger);
      }
      RunningServer.await(
          "all is read", () -> server.metrics().bytesRead.sum() == 40L * announcement.length);
      // A second time, after their frames have begun.
      for (Client stranger : strangers) {
        stranger.send(new byte[1]);
      }
      RunningServer.await(
          "that is read as well", () -> server.metrics().bytesRead.sum() == 40L * 6);
      assertTrue(server.server.core().run.requests.held() < 10_000, "charged");
      try (Client client = server.connect()) {
        assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
      }
    } finally {
      closeAll(strangers);
    }
  }

  @Test
  void shouldServeOthersWhenStrangersHaveUsedUpTheReadMemory() throws Exception {
    List<Client> strangers = new ArrayList<>();
    try (RunningServer server =
        new RunningServer(wiring, new TestService(), args -> args.maxReadBufferBytes(1 << 20))) {
      byte[] part = ByteBuffer.allocate(100_000).putInt(400_000).array();
      for (int i = 0; i < 12; i++) {
        Client stranger = server.connect();
        stranger.send(part);
        strangers.add(stranger);
      }
      RunningServer.await("memory is used up", () -> server.server.core().run.memory.loops() > 0);
      try (Client client = server.connect()) {
        for (int i = 0; i < 100; i++) {
          assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
        }
      }
    } finally {
      closeAll(strangers);
    }
  }

  @Test
  void shouldCloseAClientThatSendsItsFrameByteByByte() throws Exception {
    try (RunningServer server =
            new RunningServer(
                wiring, new TestService(), args -> args.stallTimeout(1, TimeUnit.SECONDS));
        Client idle = server.connectAndCall("echo");
        Client client = server.connectAndCall("echo")) {
      long cutBefore = server.closed(CloseReason.STALLED);
      byte[] frame = Client.frame("echo", 1, new byte[1000]);
      boolean cut = false;
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      try {
        for (int i = 0; i < frame.length && System.nanoTime() < end; i++) {
          client.send(Arrays.copyOfRange(frame, i, i + 1));
          Thread.sleep(50);
        }
      } catch (java.io.IOException e) {
        cut = true;
      }
      assertTrue(cut, "it may go on for ever");
      assertEquals(cutBefore + 1, server.closed(CloseReason.STALLED));
      assertEquals("x", Bytes.text(idle.call("echo", Bytes.of("x"))));
    }
  }

  /** Who does not read makes others wait that want as much, and nobody is cut off for that. */
  @Test
  void shouldHoldNoMoreUnsentRepliesThanItIsAllowed() throws Exception {
    int reply = 8 << 20;
    int budget = 20 << 20;
    TestService service = new TestService().on("large", argument -> new byte[reply]);
    List<Client> deaf = new ArrayList<>();
    List<Client> slow = new ArrayList<>();
    ExecutorService readers = Executors.newCachedThreadPool();
    try (RunningServer server =
        new RunningServer(
            wiring,
            service,
            args -> args.maxReadBufferBytes(budget).stallTimeout(1, TimeUnit.HOURS))) {
      try (Client first = server.connect()) {
        assertEquals(reply, first.call("large", new byte[0]).length);
      }
      for (int i = 0; i < 12; i++) {
        Client client = server.connectDeaf();
        client.send(Client.frame("large", 1, new byte[0]));
        (i < 8 ? deaf : slow).add(client);
      }
      RunningServer.await(
          "some wait for memory", () -> server.server.core().run.memory.loops() > 0);
      long used = server.server.core().run.replies.used();
      assertTrue(used <= budget + reply, used + " bytes");
      try (Client client = server.connect()) {
        for (int i = 0; i < 100; i++) {
          assertEquals("x", Bytes.text(client.call("echo", Bytes.of("x"))));
        }
      }
      RunningServer.await("it is not ready", () -> !server.server.isReady());
      closeAll(deaf);
      // All at once: memory may be given to any of them first, and that one must read.
      List<Future<byte[]>> received = new ArrayList<>();
      for (Client client : slow) {
        received.add(readers.submit(() -> client.receive("large", 1)));
      }
      for (Future<byte[]> each : received) {
        assertEquals(reply, each.get().length);
      }
      RunningServer.await("it is ready again", server.server::isReady);
      RunningServer.await("all is given back", () -> server.server.core().run.replies.used() == 0);
      assertEquals(0, server.closed(CloseReason.STALLED));
    } finally {
      closeAll(deaf);
      closeAll(slow);
      readers.shutdown();
    }
  }
}
