package dev.ringside.bench.drift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.facebook.drift.server.DriftServer;
import com.facebook.drift.transport.netty.server.DriftNettyServerTransport;
import dev.ringside.bench.handler.HandlerThreads;
import dev.ringside.bench.handler.HandlerWork;
import dev.ringside.bench.peer.AnsweringPeer;
import dev.ringside.bench.wire.Delay;
import dev.ringside.bench.wire.EchoFrame;
import dev.ringside.bench.wire.Handler;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests every configuration of Drift with the exact bytes of the load generator. */
class EchoServerTest {
  private static final int ANY_PORT = 0;
  private static final int SELECTORS = 2;
  private static final int FIRST = 41;

  @ParameterizedTest
  @CsvSource({"POOL, 4", "LOOPS, 4", "LOOPS, 0"})
  void shouldAnswerEveryMethod(HandlerThreads threads, int workers) throws Exception {
    for (Handler handler : Handler.values()) {
      for (Delay delay : Delay.values()) {
        exchange(threads, workers, handler, delay);
      }
    }
  }

  /** The first of several requests in one packet takes longest. */
  @ParameterizedTest
  @CsvSource({"POOL, 4", "LOOPS, 4", "LOOPS, 0"})
  void shouldAnswerInOrder(HandlerThreads threads, int workers) throws Exception {
    exchange(threads, workers, Handler.MIXED, Delay.SLEEP_20_MS, Delay.NONE, Delay.NONE);
  }

  private static void exchange(
      HandlerThreads threads, int workers, Handler handler, Delay... delays) throws Exception {
    AnsweringPeer peer = AnsweringPeer.start();
    HandlerWork work = new HandlerWork();
    work.peer(peer.port());
    DriftServer server = EchoServer.of(threads, ANY_PORT, workers, SELECTORS, work);
    server.start();
    int port = ((DriftNettyServerTransport) server.getServerTransport()).getPort();
    EchoFrame frame = new EchoFrame(handler);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      ByteBuffer requests = ByteBuffer.allocate(frame.bytes() * delays.length);
      for (int i = 0; i < delays.length; i++) {
        frame.putRequest(requests, FIRST + i, delays[i]);
      }
      socket.getOutputStream().write(requests.array());
      ByteBuffer reply = ByteBuffer.allocate(frame.bytes());
      for (int i = 0; i < delays.length; i++) {
        read(socket, reply);
        assertTrue(frame.lengthFits(reply, 0));
        assertNull(frame.fault(reply, 0, FIRST + i, delays[i], false));
        assertEquals(expected(handler, FIRST + i, delays[i]), reply, "every byte of the reply");
      }
    } finally {
      server.shutdown();
      peer.close();
    }
  }

  private static void read(Socket socket, ByteBuffer reply) throws IOException {
    new DataInputStream(socket.getInputStream()).readFully(reply.array());
  }

  /** Returns the request with the message's type and the field's number of a reply. */
  private static ByteBuffer expected(Handler handler, int sequence, Delay delay) {
    EchoFrame frame = new EchoFrame(handler);
    ByteBuffer reply = ByteBuffer.allocate(frame.bytes());
    frame.putRequest(reply, sequence, delay);
    reply.put(7, (byte) 2);
    reply.putShort(frame.bytes() - 1 - handler.payloadBytes() - 4 - 2, (short) 0);
    return reply.flip();
  }
}
