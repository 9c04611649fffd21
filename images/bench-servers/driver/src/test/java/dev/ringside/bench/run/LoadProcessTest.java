package dev.ringside.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.bench.wire.Delay;
import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the load generator with servers that answer, or do not, in a known way. */
@Timeout(60)
class LoadProcessTest {
  private static final EchoFrame FRAME = new EchoFrame(Handler.AT_ONCE);
  private static final Answer ECHO = (bytes, length, out) -> out.write(bytes, 0, length);

  /** Answers bytes that the server has read. */
  private interface Answer {
    void to(byte[] bytes, int length, OutputStream out) throws IOException;
  }

  private final AtomicLong bytesRead = new AtomicLong();
  @TempDir Path scratch;
  private ServerSocket server;

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void shouldHaveEveryRequestAnsweredWhenAWindowEnds() throws Exception {
    serve(ECHO);
    try (LoadProcess load = echoed(Handler.AT_ONCE, 5, 3)) {
      WindowResult first = load.closed(50, false);
      WindowResult second = load.closed(50, false);
      assertTrue(first.total() >= 5 * 3, first::toString);
      assertTrue(first.inTime() <= first.total() && first.total() <= first.inTime() + 5 * 3);
      assertEquals(first.total(), first.all().getTotalCount());
      assertEquals(second.total(), second.quick().getTotalCount());
      assertEquals((first.total() + second.total()) * FRAME.bytes(), bytesRead.get());
      assertEquals(0, second.lateP99Nanos());
    }
  }

  @Test
  void shouldKnowHowBusyItWas() throws Exception {
    serve(ECHO);
    try (LoadProcess load = echoed(Handler.AT_ONCE, 1, 1)) {
      WindowResult result = load.closed(200, false);
      assertTrue(result.elapsedNanos() >= TimeUnit.MILLISECONDS.toNanos(200), result::toString);
      assertTrue(result.clientBusy() > 0 && result.clientBusy() < 1.01, result::toString);
      assertTrue(result.clientWaiting() >= 0 && result.clientWaiting() < 1, result::toString);
      assertTrue(result.rate() > 0, result::toString);
    }
  }

  @Test
  void shouldMeasureTimesThatAreKnown() throws Exception {
    AtomicLong requests = new AtomicLong();
    serve(
        (bytes, length, out) -> {
          pause(requests.incrementAndGet() % 10 == 0 ? 40 : 2);
          out.write(bytes, 0, length);
        });
    try (LoadProcess load = echoed(Handler.AT_ONCE, 1, 1)) {
      WindowResult result = load.closed(1000, false);
      double median = result.all().getValueAtPercentile(50) / 1e6;
      double late = result.all().getValueAtPercentile(95) / 1e6;
      assertTrue(2 <= median && median < 40, () -> "median " + median + " ms");
      assertTrue(40 <= late, () -> "95th percentile " + late + " ms");
      assertEquals(
          requests.get() / 10,
          result.all().getCountBetweenValues(TimeUnit.MILLISECONDS.toNanos(40), Long.MAX_VALUE / 2),
          2);
    }
  }

  @Test
  void shouldDelayTheShareOfTheHandler() throws Exception {
    serve(ECHO);
    try (LoadProcess load = echoed(Handler.MIXED, 4, 8)) {
      WindowResult result = load.closed(500, false);
      double share = 1 - (double) result.quick().getTotalCount() / result.total();
      assertEquals(Handler.MIXED.share(false), share, 0.005, result::toString);
    }
  }

  /**
   * This server's handler sees if the request says that it is slow, which is not the case in the
   * first half of the window.
   */
  @Test
  void shouldTurnSlowAtHalfOfTheWindow() throws Exception {
    int delayAt = new EchoFrame(Handler.TURNS_SLOW).delayAt();
    AtomicLong slow = new AtomicLong();
    serve(
        (bytes, length, out) -> {
          slow.addAndGet(bytes[delayAt] == Delay.NONE.code() ? 0 : 1);
          out.write(bytes, 0, length);
        });
    try (LoadProcess load = echoed(Handler.TURNS_SLOW, 1, 1)) {
      WindowResult lead = load.closed(50, false);
      assertEquals(0, slow.get(), "the lead-in is quick");
      assertTrue(Double.isNaN(lead.turnedRate()));
      WindowResult turned = load.closed(1000, true);
      assertEquals(turned.total() - turned.quick().getTotalCount(), slow.get());
      assertTrue(slow.get() > 0 && turned.quick().getTotalCount() > 0, turned::toString);
      assertEquals(slow.get(), turned.turnedRate() / 2, slow.get() / 4.0);
    }
  }

  @Test
  void shouldSendAsManyAsAreDue() throws Exception {
    serve(ECHO);
    try (LoadProcess load = echoed(Handler.AT_ONCE, 3, 2)) {
      assertTrue(load.closed(20, false).total() > 0);
      WindowResult result = load.open(100, false, 1000);
      assertEquals(100, result.total());
      assertEquals(100, result.all().getTotalCount());
      assertEquals(100, result.late().getTotalCount());
      assertTrue(result.inTime() <= 100, result::toString);
      assertTrue(load.closed(20, false).total() > 0);
    }
  }

  @ParameterizedTest
  @CsvSource({"30, 100, 3", "0.5, 100, 1", "1e5, 50, 5000"})
  void shouldSendWhatFallsIntoTheTime(double perSecond, long millis, long count) throws Exception {
    serve(ECHO);
    try (LoadProcess load = echoed(Handler.AT_ONCE, 2, 2)) {
      assertEquals(count, load.open(millis, false, perSecond).total());
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN})
  void shouldRefuseARateThatIsNone(double perSecond) throws Exception {
    serve(ECHO);
    try (LoadProcess load = echoed(Handler.AT_ONCE, 1, 1)) {
      IOException fault = assertThrows(IOException.class, () -> load.open(100, false, perSecond));
      assertTrue(fault.getMessage().startsWith("no open loop at "), fault.getMessage());
    }
  }

  /** A server that stalls delays requests; their times include the delay, which is the server's. */
  @Test
  void shouldCountFromWhenARequestWasDue() throws Exception {
    long still = 200;
    AtomicBoolean stood = new AtomicBoolean();
    serve(
        (bytes, length, out) -> {
          if (!stood.getAndSet(true)) {
            pause(still);
          }
          out.write(bytes, 0, length);
        });
    try (LoadProcess load = echoed(Handler.AT_ONCE, 1, 1)) {
      WindowResult result = load.open(still, false, 1000);
      assertEquals(still, result.total());
      // A closed loop would have one slow request; here, half of the requests waited half of the
      // stall.
      assertTrue(
          result.all().getValueAtPercentile(50) > TimeUnit.MILLISECONDS.toNanos(still / 4),
          result::toString);
      assertTrue(
          result.late().getValueAtPercentile(50) < TimeUnit.MILLISECONDS.toNanos(still / 4),
          result::toString);
    }
  }

  /** The connection that is free longest takes the next request. */
  @Test
  void shouldSendOnOtherConnectionsWhileOneIsSlow() throws Exception {
    AtomicLong connections = new AtomicLong();
    ThreadLocal<Long> connection = ThreadLocal.withInitial(connections::getAndIncrement);
    AtomicLong slow = new AtomicLong();
    serve(
        (bytes, length, out) -> {
          if (connection.get() == 0) {
            slow.incrementAndGet();
            pause(100);
          }
          out.write(bytes, 0, length);
        });
    try (LoadProcess load = echoed(Handler.AT_ONCE, 4, 1)) {
      WindowResult result = load.open(500, false, 200);
      assertEquals(100, result.total());
      assertTrue(slow.get() <= 6, () -> slow + " requests on the slow connection");
    }
  }

  @Test
  void shouldTakeRepliesInPieces() throws Exception {
    serve(
        (bytes, length, out) -> {
          for (int i = 0; i < length; i += 11) {
            out.write(bytes, i, Math.min(11, length - i));
            out.flush();
          }
        });
    try (LoadProcess load = echoed(Handler.MIXED, 2, 8)) {
      WindowResult result = load.closed(50, false);
      assertTrue(result.total() >= 16, result::toString);
      assertEquals(result.total(), result.all().getTotalCount());
    }
  }

  @Test
  void shouldServeManyConnections() throws Exception {
    serve(ECHO);
    try (LoadProcess load = echoed(Handler.AT_ONCE, 500, 2)) {
      assertTrue(load.closed(50, false).total() >= 1000);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"AT_ONCE_64K", "AT_ONCE_1M"})
  void shouldSendAndCheckLargeFrames(Handler handler) throws Exception {
    serve(ECHO);
    try (LoadProcess load = echoed(handler, 3, 2)) {
      WindowResult result = load.closed(50, false);
      assertTrue(result.total() >= 3 * 2, result::toString);
      assertEquals(result.total(), result.all().getTotalCount());
      assertEquals(result.total() * new EchoFrame(handler).bytes(), bytesRead.get());
      assertEquals(10, load.open(100, false, 100).total());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "AT_ONCE_1M, 300000",
    "AT_ONCE_1M, 1048600",
    "AT_ONCE, 0",
    "AT_ONCE, 7",
    "AT_ONCE, 127"
  })
  void shouldRefuseAReplyWithOneOtherByte(Handler handler, int wrongAt) throws Exception {
    serve(
        (bytes, length, out) -> {
          long from = bytesRead.get() - length;
          if (from <= wrongAt && wrongAt < from + length) {
            bytes[(int) (wrongAt - from)]++;
          }
          out.write(bytes, 0, length);
        });
    try (LoadProcess load = echoed(handler, 1, 1)) {
      IOException fault = assertThrows(IOException.class, () -> load.closed(50, false));
      String expected =
          "wrong reply: byte " + wrongAt + " of " + new EchoFrame(handler).bytes() + " is ";
      assertTrue(fault.getMessage().startsWith(expected), fault.getMessage());
    }
  }

  @Test
  void shouldTakeTheReplyOfAThriftServer() throws Exception {
    AtomicLong requests = new AtomicLong();
    serve(
        (bytes, length, out) ->
            out.write(FRAME.reply((int) requests.getAndIncrement(), Delay.NONE)));
    try (LoadProcess load = load(Handler.AT_ONCE, 1, 1, false, LoadProcess.STALL_SECONDS)) {
      long total = load.closed(50, false).total();
      assertTrue(total > 0);
      assertEquals(requests.get(), total);
    }
  }

  @Test
  void shouldRefuseAnEchoWhereAReplyIsDue() throws Exception {
    serve(ECHO);
    try (LoadProcess load = load(Handler.AT_ONCE, 1, 1, false, LoadProcess.STALL_SECONDS)) {
      IOException fault = assertThrows(IOException.class, () -> load.closed(50, false));
      String said = fault.getMessage();
      assertTrue(said.startsWith("wrong reply: byte 7 of 128 is 01, not 02: "), said);
      assertTrue(said.contains("echo"), "the text in it, as that of an exception: " + said);
    }
  }

  @Test
  void shouldRefuseAReplyThatNobodyAskedFor() throws Exception {
    serve(
        (bytes, length, out) -> {
          out.write(bytes, 0, length);
          out.write(bytes, 0, length);
        });
    try (LoadProcess load = echoed(Handler.AT_ONCE, 1, 1)) {
      assertThrows(IOException.class, () -> load.closed(50, false));
    }
  }

  @Test
  void shouldReportThatTheServerClosedAConnection() throws Exception {
    serve((bytes, length, out) -> out.close());
    try (LoadProcess load = echoed(Handler.AT_ONCE, 1, 1)) {
      IOException fault = assertThrows(IOException.class, () -> load.closed(50, false));
      assertTrue(
          fault.getMessage().startsWith("the server closed a connection with 1 under way"),
          fault.getMessage());
    }
  }

  /** The end of the connection may arrive together with a part of a reply. */
  @Test
  void shouldReportThatTheServerClosedAConnectionAfterAPartOfAReply() throws Exception {
    serve(
        (bytes, length, out) -> {
          out.write(bytes, 0, length / 4);
          out.close();
        });
    try (LoadProcess load = echoed(Handler.AT_ONCE, 3, 2)) {
      IOException fault = assertThrows(IOException.class, () -> load.closed(50, false));
      assertTrue(
          fault.getMessage().startsWith("the server closed a connection with 2 under way"),
          fault.getMessage());
    }
  }

  @Test
  void shouldReportThatTheServerStalls() throws Exception {
    serve((bytes, length, out) -> {});
    try (LoadProcess load = load(Handler.AT_ONCE, 2, 3, true, 1)) {
      IOException fault = assertThrows(IOException.class, () -> load.closed(50, false));
      assertEquals("no reply for 1 s on 2 connections of depth 3", fault.getMessage());
    }
  }

  @Test
  void shouldReportThatThereIsNoServer() throws Exception {
    serve(ECHO);
    server.close();
    IOException fault = assertThrows(IOException.class, () -> echoed(Handler.AT_ONCE_1M, 1, 1));
    assertEquals(
        "connect to port " + server.getLocalPort() + ": Connection refused", fault.getMessage());
  }

  @Test
  void shouldReportTheSignalThatEndedIt() throws Exception {
    serve((bytes, length, out) -> {});
    try (LoadProcess load = echoed(Handler.AT_ONCE, 1, 1)) {
      daemon(
          () -> {
            pause(200);
            ProcessHandle.of(load.pid()).ifPresent(ProcessHandle::destroyForcibly);
          });
      IOException fault = assertThrows(IOException.class, () -> load.closed(10_000, false));
      String said = fault.getMessage();
      assertTrue(
          said.startsWith("the load generator was ended by signal 9 (SIGKILL: the kernel"), said);
      assertTrue(said.endsWith("client.log"), said);
      IOException after = assertThrows(IOException.class, () -> load.closed(10, false));
      assertEquals(said, after.getMessage());
    }
  }

  private LoadProcess echoed(Handler handler, int connections, int depth) throws Exception {
    return load(handler, connections, depth, true, LoadProcess.STALL_SECONDS);
  }

  private LoadProcess load(
      Handler handler, int connections, int depth, boolean plainEcho, int stallSeconds)
      throws Exception {
    return LoadProcess.start(
        List.of(Processes.client(NativePrograms.home()).toString()),
        scratch.resolve("client.log"),
        server.getLocalPort(),
        new Cell(handler, connections, depth),
        plainEcho,
        stallSeconds);
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(Answer answer) throws IOException {
    server = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    daemon(
        () -> {
          while (true) {
            Socket socket = server.accept();
            socket.setTcpNoDelay(true);
            daemon(() -> answerAll(socket, answer));
          }
        });
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
