package dev.ringside.bench.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.bench.wire.Handler;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FloorTest {
  /** More than the sockets of both sides hold. */
  private static final int MANY = 64 << 20;

  @TempDir Path scratch;
  private Processes processes;
  private ServerProcess floor;

  @BeforeEach
  void start() throws Exception {
    Settings settings =
        new Settings(
            NativePrograms.home(), Optional.empty(), 1, 1, 1, 0, List.of(), List.of(), "", "");
    processes = new Processes(settings, scratch);
    floor = processes.server(Contender.floor());
  }

  @AfterEach
  void stop() {
    floor.close();
  }

  @Test
  void shouldServeOthersWhileAClientDoesNotRead() throws Exception {
    byte[] bytes = new byte[MANY];
    new Random(7).nextBytes(bytes);
    try (Socket slow = connect();
        Socket other = connect()) {
      CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> write(slow, bytes));
      TimeUnit.MILLISECONDS.sleep(300);
      write(other, ByteBuffer.allocate(Integer.BYTES).putInt(42).array());
      other.setSoTimeout(5000);
      assertEquals(42, ByteBuffer.wrap(other.getInputStream().readNBytes(4)).getInt());
      assertArrayEquals(bytes, slow.getInputStream().readNBytes(MANY));
      sent.get();
    }
  }

  @Test
  void shouldServeOthersWhenAClientHasGone() throws Exception {
    try (Socket gone = connect()) {
      gone.setSoLinger(true, 0);
      CompletableFuture.runAsync(() -> write(gone, new byte[MANY]));
      TimeUnit.MILLISECONDS.sleep(300);
    }
    Cell cell = new Cell(Handler.AT_ONCE, 16, 8);
    try (LoadProcess load = processes.client(floor, Contender.floor(), cell)) {
      assertTrue(load.closed(50, false).total() > 0);
    }
  }

  @Test
  void shouldAnswerAsOtherServersDo() throws Exception {
    assertEquals("floor.c", floor.serverClass());
    assertEquals("ok", floor.ask("mark"));
    assertEquals(0, floor.number("allocated"), "bytes since the mark");
    assertEquals(1, floor.number("threads"));
    assertTrue(floor.build().classPathDigest().matches("[0-9a-f]{12}"));
    assertEquals("unknown order steps 7", floor.ask("steps 7"));
  }

  private Socket connect() throws Exception {
    return new Socket(InetAddress.getLoopbackAddress(), floor.port());
  }

  private static void write(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (java.io.IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
