package dev.ringside.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The test of a load that kills a store verifies that the process ends. */
@Timeout(60)
class KillPortTest {
  private final BlockingQueue<String> happened = new LinkedBlockingQueue<>();

  @Test
  void shouldEndTheProcessForThatOneWordAlone() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (KillPort port = new KillPort(any, () -> happened.add("ended"), happened::add)) {
      say(port, "GET /");
      assertTrue(happened.take().contains("did not say 'kill'"));
      say(port, "kil");
      assertTrue(happened.take().contains("did not say 'kill'"));
      say(port, "kill\n");
      assertEquals("ended", happened.take());
    }
  }

  private static void say(KillPort port, String words) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.port())) {
      socket.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      assertEquals(-1, socket.getInputStream().read(), "it hangs up");
    }
  }
}
