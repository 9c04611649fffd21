package dev.ringside.gps;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports of 127.0.0.1 for servers that are told theirs. None is given twice, as the kernel does as
 * long as nobody listens on the first; all are below those that it hands out to clients meanwhile.
 */
final class FreePorts {
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(10_000, 30_000));

  private FreePorts() {}

  /** One that nobody listens on. For any thread. */
  static int next() {
    int port = NEXT.getAndIncrement();
    while (!isFree(port)) {
      port = NEXT.getAndIncrement();
    }
    return port;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
