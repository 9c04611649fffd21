package dev.ringside.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AcceptorTest {
  private final BlockingQueue<String> warned = new LinkedBlockingQueue<>();
  private final BlockingQueue<Socket> served = new LinkedBlockingQueue<>();

  @Test
  void shouldTakeClientsAgainOnceThereAreDescriptorsAgain() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    ServerSocket listener =
        new ServerSocket(0, 8, InetAddress.getLoopbackAddress()) {
          @Override
          public Socket accept() throws IOException {
            if (tries.getAndIncrement() < 2) {
              throw new IOException("Too many open files");
            }
            return super.accept();
          }
        };
    try (Acceptor acceptor = new Acceptor("trips", listener, served::add, warned::add);
        Socket client = connect(listener)) {
      assertEquals(client.getLocalPort(), served.take().getPort());
      String told = "trips: accept a client: Too many open files; the next try is in 1 s";
      assertEquals(told, warned.take());
      assertEquals(told, warned.take());
    }
  }

  @Test
  void shouldHangUpOnAClientForWhomThereIsNoThreadAndTakeTheNext() throws Exception {
    AtomicInteger clients = new AtomicInteger();
    ServerSocket listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Acceptor.Clients taking =
        client -> {
          if (clients.getAndIncrement() == 0) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          served.add(client);
        };
    try (Acceptor acceptor = new Acceptor("trips", listener, taking, warned::add)) {
      try (Socket first = connect(listener)) {
        assertEquals(-1, first.getInputStream().read(), "it waits for nothing");
      }
      try (Socket second = connect(listener)) {
        assertEquals(second.getLocalPort(), served.take().getPort());
      }
      assertEquals(
          "trips: accept a client: unable to create native thread; the next try is in 1 s",
          warned.take());
    }
  }

  @Test
  void shouldEndWithTheClientThatItTakes() throws Exception {
    ServerSocket listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    BlockingQueue<String> read = new LinkedBlockingQueue<>();
    Acceptor.Clients reading =
        client -> {
          served.add(client);
          read.add("read " + client.getInputStream().read());
        };
    try (Acceptor acceptor = new Acceptor("trips", listener, reading, warned::add);
        Socket client = connect(listener)) {
      served.take();
      acceptor.close();
      assertEquals(0, read.size());
      assertEquals(0, warned.size(), "it was closed, and nothing failed");
      assertThrows(ConnectException.class, () -> connect(listener));
    }
  }

  private static Socket connect(ServerSocket to) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), to.getLocalPort());
  }
}
