package dev.ringside.bench.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ringside.bench.peer.AnsweringPeer;
import dev.ringside.bench.wire.Delay;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HandlerWorkTest {
  private final HandlerWork work = new HandlerWork();

  @ParameterizedTest
  @EnumSource(Delay.class)
  void shouldConsumeNothingOfThePayload(Delay delay) throws Exception {
    try (AnsweringPeer peer = AnsweringPeer.start()) {
      work.peer(peer.port());
      ByteBuffer payload = payload(delay);
      work.run(payload);
      assertEquals(payload(delay), payload);
    }
  }

  @Test
  void shouldWaitInTheSocketUntilItsPeerAnswers() throws Exception {
    try (AnsweringPeer peer = AnsweringPeer.start()) {
      work.peer(peer.port());
      work.run(payload(Delay.SOCKET_1_MS));
      long start = System.nanoTime();
      work.run(payload(Delay.SOCKET_1_MS));
      assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  @Test
  void shouldAskFromEachThreadOnAConnectionOfItsOwn() throws Exception {
    try (ServerSocket peer = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
      work.peer(peer.getLocalPort());
      Thread first = asker();
      Thread second = asker();
      try (Socket one = peer.accept();
          Socket other = peer.accept()) {
        answer(one);
        answer(other);
        first.join();
        second.join();
        assertEquals(0, one.getInputStream().available(), "one question on each");
        assertEquals(0, other.getInputStream().available(), "one question on each");
      }
    }
  }

  @Test
  void shouldSayThatItHasNobodyToAsk() throws Exception {
    IllegalStateException fault =
        assertThrows(IllegalStateException.class, () -> work.run(payload(Delay.SOCKET_1_MS)));
    assertTrue(fault.getMessage().contains("give the order peer <port>"), fault::getMessage);
    try (ServerSocket peer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      work.peer(peer.getLocalPort());
    }
    assertThrows(UncheckedIOException.class, () -> work.run(payload(Delay.SOCKET_1_MS)));
  }

  /** Sends two questions; the second one reuses the connection of the first. */
  private Thread asker() {
    Thread thread =
        new Thread(
            () -> {
              work.run(payload(Delay.SOCKET_1_MS));
              work.run(payload(Delay.SOCKET_1_MS));
            });
    thread.start();
    return thread;
  }

  private static void answer(Socket socket) throws Exception {
    for (int i = 0; i < 2; i++) {
      socket.getOutputStream().write(socket.getInputStream().read());
    }
  }

  private static ByteBuffer payload(Delay delay) {
    ByteBuffer payload = ByteBuffer.allocate(100);
    payload.put(0, delay.code());
    payload.putInt(1, 7);
    return payload;
  }
}
