package dev.ringside.gps;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Returns free ports of 127.0.0.1 for servers. No port is returned twice, although the kernel may
 * do so while it is unused. All are below the kernel's range for clients.
 */
final class FreePorts {
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(10_000, 30_000));

  private FreePorts() {}

  /** Returns a free port. Safe for any number of threads. */
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
