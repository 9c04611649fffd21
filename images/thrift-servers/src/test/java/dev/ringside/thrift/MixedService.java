package dev.ringside.thrift;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Is a service with methods that return at once, sleep, wait in a socket and compute. Each replies
 * with its own duration in nanoseconds.
 */
final class MixedService implements AutoCloseable {
  static final List<String> METHODS = Arrays.asList("quick", "park", "wait", "compute");

  private static final int WAIT_MILLIS = 1;

  /** Is a part of a method that takes time. */
  interface Body {
    void run() throws Exception;
  }

  private final ServerSocket listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
  private final List<Socket> all = new ArrayList<>();
  private final Queue<Socket> silent = new ConcurrentLinkedQueue<>();
  private final TestService service =
      new TestService()
          .on("quick", timed(() -> {}))
          .on("park", timed(() -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1))))
          .on("wait", timed(this::waitInASocket))
          .on("compute", timed(() -> compute(TimeUnit.MICROSECONDS.toNanos(200))));

  MixedService() throws IOException {}

  TestService service() {
    return service;
  }

  /** Replies with the duration of a body. */
  static TestService.Method timed(Body body) {
    return argument -> {
      long began = System.nanoTime();
      body.run();
      return ByteBuffer.allocate(Long.BYTES).putLong(System.nanoTime() - began).array();
    };
  }

  private static void compute(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) {
      // uses a processor
    }
  }

  /** Waits in the kernel until the read times out, because no bytes arrive. */
  private void waitInASocket() throws IOException {
    Socket socket = silent.poll();
    if (socket == null) {
      socket = open();
    }
    try {
      socket.getInputStream().read();
      throw new IllegalStateException("something came");
    } catch (SocketTimeoutException e) {
      silent.add(socket);
    }
  }

  private Socket open() throws IOException {
    synchronized (all) {
      Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
      all.add(socket);
      all.add(listener.accept());
      socket.setSoTimeout(WAIT_MILLIS);
      return socket;
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    synchronized (all) {
      for (Socket socket : all) {
        socket.close();
      }
    }
  }
}
