package dev.ringside.bench.floor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FloorMainTest {
  /** More than the sockets of both sides hold. */
  private static final int MANY = 64 << 20;

  @Test
  @Timeout(60)
  void shouldServeOthersWhileAClientDoesNotRead() throws Exception {
    int port = FloorMain.start();
    byte[] bytes = new byte[MANY];
    new Random(7).nextBytes(bytes);
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), port);
        Socket other = new Socket(InetAddress.getLoopbackAddress(), port)) {
      CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> write(slow, bytes));
      TimeUnit.MILLISECONDS.sleep(300);
      write(other, ByteBuffer.allocate(Integer.BYTES).putInt(42).array());
      other.setSoTimeout(5000);
      assertEquals(42, ByteBuffer.wrap(other.getInputStream().readNBytes(4)).getInt());
      assertArrayEquals(bytes, slow.getInputStream().readNBytes(MANY));
      sent.get();
    }
  }

  private static void write(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
