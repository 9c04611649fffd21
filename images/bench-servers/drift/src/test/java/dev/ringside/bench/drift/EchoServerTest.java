package dev.ringside.bench.drift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.facebook.drift.server.DriftServer;
import com.facebook.drift.transport.netty.server.DriftNettyServerTransport;
import dev.ringside.bench.handler.HandlerThreads;
import dev.ringside.bench.handler.HandlerWork;
import dev.ringside.bench.handler.ThreadCounts;
import dev.ringside.bench.peer.AnsweringPeer;
import dev.ringside.bench.wire.Delay;
import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests every configuration of Drift with the exact bytes of the load generator. */
class EchoServerTest {
  private static final int ANY_PORT = 0;
  private static final int SELECTORS = 2;
  private static final int FIRST = 41;

  @ParameterizedTest
  @CsvSource({"POOL, 4", "LOOPS, 4", "LOOPS, 0", "LOOPS,"})
  void shouldAnswerEveryMethod(HandlerThreads threads, Integer workers) throws Exception {
    for (Handler handler : Handler.values()) {
      for (Delay delay : Delay.values()) {
        exchange(threads, workers, handler, delay);
      }
    }
  }

  /** The first of several requests in one packet takes longest. */
  @ParameterizedTest
  @CsvSource({"POOL, 4", "LOOPS, 4", "LOOPS, 0", "LOOPS,"})
  void shouldAnswerInOrder(HandlerThreads threads, Integer workers) throws Exception {
    exchange(threads, workers, Handler.MIXED, Delay.SLEEP_20_MS, Delay.NONE, Delay.NONE);
  }

  private static void exchange(
      HandlerThreads threads, Integer workers, Handler handler, Delay... delays) throws Exception {
    Optional<ThreadCounts> counts =
        Optional.ofNullable(workers).map(given -> new ThreadCounts(given, SELECTORS));
    AnsweringPeer peer = AnsweringPeer.start();
    HandlerWork work = new HandlerWork();
    work.peer(peer.port());
    DriftServer server = EchoServer.of(threads, ANY_PORT, counts, work);
    server.start();
    int port = ((DriftNettyServerTransport) server.getServerTransport()).getPort();
    EchoFrame frame = new EchoFrame(handler);
    ByteArrayOutputStream requests = new ByteArrayOutputStream();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      for (int i = 0; i < delays.length; i++) {
        requests.write(frame.request(FIRST + i, delays[i]));
      }
      socket.getOutputStream().write(requests.toByteArray());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      for (int i = 0; i < delays.length; i++) {
        byte[] reply = new byte[frame.bytes()];
        in.readFully(reply);
        assertArrayEquals(frame.reply(FIRST + i, delays[i]), reply);
      }
    } finally {
      server.shutdown();
      peer.close();
    }
  }
}
