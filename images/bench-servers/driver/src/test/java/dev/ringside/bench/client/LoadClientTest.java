package dev.ringside.bench.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.ringside.bench.wire.Delay;
import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoadClientTest {
  private static final int REQUEST_BYTES = 4 + 4 + 4 + "echo".length() + 4 + 3 + 4 + 100 + 1;

  /** Answers bytes that the server has read. */
  private interface Answer {
    void to(byte[] bytes, int length, OutputStream out) throws IOException;
  }

  private final AtomicLong bytesRead = new AtomicLong();
  private ServerSocket server;

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void shouldHaveEveryRequestAnsweredWhenAWindowEnds() throws Exception {
    InetSocketAddress address = serve((bytes, length, out) -> out.write(bytes, 0, length));
    try (LoadClient client = new LoadClient(address, 5, 3, Handler.AT_ONCE, true)) {
      WindowResult first = client.window(50, false);
      WindowResult second = client.window(50, false);
      assertTrue(first.total() >= 5 * 3, first::line);
      assertTrue(first.inTime() <= first.total() && first.total() <= first.inTime() + 5 * 3);
      assertEquals(first.total(), first.all().getTotalCount());
      assertEquals(second.total(), second.quick().getTotalCount());
      assertEquals((first.total() + second.total()) * REQUEST_BYTES, bytesRead.get());
      assertEquals(second, WindowResult.parse(second.line()));
    }
  }

  /**
   * This server's handler sleeps if the request says so, which is not the case in the first half of
   * the window.
   */
  @Test
  void shouldTurnSlowAtHalfOfTheWindow() throws Exception {
    int delayAt = REQUEST_BYTES - 1 - 100;
    AtomicLong slow = new AtomicLong();
    InetSocketAddress address =
        serve(
            (bytes, length, out) -> {
              slow.addAndGet(bytes[delayAt] == Delay.NONE.code() ? 0 : 1);
              out.write(bytes, 0, length);
            });
    try (LoadClient client = new LoadClient(address, 1, 1, Handler.TURNS_SLOW, true)) {
      WindowResult lead = client.window(50, false);
      assertEquals(0, slow.get(), "the lead-in is quick");
      assertTrue(Double.isNaN(lead.turnedRate()));
      WindowResult turned = client.window(1000, true);
      assertEquals(turned.total() - turned.quick().getTotalCount(), slow.get());
      assertTrue(slow.get() > 0 && turned.quick().getTotalCount() > 0, turned::line);
      assertTrue(turned.turnedRate() > 0, turned::line);
      assertEquals(turned, WindowResult.parse(turned.line()));
    }
  }

  @Test
  void shouldSendAsManyAsAreDue() throws Exception {
    InetSocketAddress address = serve((bytes, length, out) -> out.write(bytes, 0, length));
    try (LoadClient client = new LoadClient(address, 3, 2, Handler.AT_ONCE, true)) {
      assertTrue(client.window(20, false).total() > 0);
      WindowResult result = client.openWindow(100, 1000, false);
      assertEquals(100, result.total());
      assertEquals(100, result.all().getTotalCount());
      assertTrue(result.inTime() <= 100, result::line);
      assertEquals(result, WindowResult.parse(result.line()));
      assertTrue(client.window(20, false).total() > 0);
    }
  }

  /** A server that stalls delays requests; their times include the delay. */
  @Test
  void shouldCountFromWhenARequestWasDue() throws Exception {
    long still = 200;
    AtomicBoolean stood = new AtomicBoolean();
    InetSocketAddress address =
        serve(
            (bytes, length, out) -> {
              if (!stood.getAndSet(true)) {
                pause(still);
              }
              out.write(bytes, 0, length);
            });
    try (LoadClient client = new LoadClient(address, 1, 1, Handler.AT_ONCE, true)) {
      WindowResult result = client.openWindow(still, 1000, false);
      assertEquals(still, result.total());
      // A closed loop would have one slow request; here, half of the requests waited half of the
      // stall.
      assertTrue(
          result.all().getValueAtPercentile(50) > TimeUnit.MILLISECONDS.toNanos(still / 4),
          result::line);
    }
  }

  @Test
  void shouldTakeRepliesInPieces() throws Exception {
    InetSocketAddress address =
        serve(
            (bytes, length, out) -> {
              for (int i = 0; i < length; i += 11) {
                out.write(bytes, i, Math.min(11, length - i));
                out.flush();
              }
            });
    try (LoadClient client = new LoadClient(address, 2, 8, Handler.MIXED, true)) {
      WindowResult result = client.window(50, false);
      assertTrue(result.total() >= 16, result::line);
      assertEquals(result.total(), result.all().getTotalCount());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"AT_ONCE_64K", "AT_ONCE_1M"})
  void shouldSendAndCheckLargeFrames(Handler handler) throws Exception {
    InetSocketAddress address = serve((bytes, length, out) -> out.write(bytes, 0, length));
    try (LoadClient client = new LoadClient(address, 3, 2, handler, true)) {
      WindowResult result = client.window(50, false);
      assertTrue(result.total() >= 3 * 2, result::line);
      assertEquals(result.total(), result.all().getTotalCount());
      assertEquals(result.total() * new EchoFrame(handler).bytes(), bytesRead.get());
      assertEquals(10, client.openWindow(100, 100, false).total());
    }
  }

  @Test
  void shouldRefuseALargeReplyWithOneOtherByte() throws Exception {
    int wrongAt = 300_000;
    InetSocketAddress address =
        serve(
            (bytes, length, out) -> {
              long from = bytesRead.get() - length;
              if (from <= wrongAt && wrongAt < from + length) {
                bytes[(int) (wrongAt - from)]++;
              }
              out.write(bytes, 0, length);
            });
    try (LoadClient client = new LoadClient(address, 1, 1, Handler.AT_ONCE_1M, true)) {
      IOException fault = assertThrows(IOException.class, () -> client.window(50, false));
      assertEquals("wrong reply: a payload that was changed", fault.getMessage());
    }
  }

  /** Each result costs some memory, which does not grow with the number of requests. */
  @ParameterizedTest
  @EnumSource(names = {"AT_ONCE", "AT_ONCE_64K"})
  void shouldAllocateNothingForARequest(Handler handler) throws Exception {
    InetSocketAddress address = serve((bytes, length, out) -> out.write(bytes, 0, length));
    try (LoadClient client = new LoadClient(address, 2, 2, handler, true)) {
      client.window(500, false);
      long before = allocated();
      long few = client.window(1, false).total();
      long between = allocated();
      long many = client.window(500, false).total();
      long more = allocated() - between - (between - before);
      assertTrue(more < 10 * (many - few), more + " bytes for " + (many - few) + " more requests");
    }
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  @Test
  void shouldRefuseAnEchoWhereAReplyIsDue() throws Exception {
    InetSocketAddress address = serve((bytes, length, out) -> out.write(bytes, 0, length));
    try (LoadClient client = new LoadClient(address, 1, 1, Handler.AT_ONCE, false)) {
      IOException fault = assertThrows(IOException.class, () -> client.window(50, false));
      assertEquals("wrong reply: message type 80010001", fault.getMessage());
    }
  }

  @Test
  void shouldSayThatTheServerClosedAConnection() throws Exception {
    InetSocketAddress address = serve((bytes, length, out) -> out.close());
    try (LoadClient client = new LoadClient(address, 1, 1, Handler.AT_ONCE, true)) {
      assertThrows(IOException.class, () -> client.window(50, false));
    }
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private InetSocketAddress serve(Answer answer) throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(
        () -> {
          while (true) {
            Socket socket = server.accept();
            socket.setTcpNoDelay(true);
            daemon(() -> answerAll(socket, answer));
          }
        });
    return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
  }

  private void answerAll(Socket socket, Answer answer) throws IOException {
    byte[] bytes = new byte[10_000];
    try (socket;
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream()) {
      for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
        bytesRead.addAndGet(length);
        answer.to(bytes, length, out);
      }
    }
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void daemon(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // the test is over, or has closed the connection
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}
