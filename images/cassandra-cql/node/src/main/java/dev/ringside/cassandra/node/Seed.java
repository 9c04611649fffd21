package dev.ringside.cassandra.node;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** The node through which the others join. */
final class Seed {
  private static final int PATIENCE_MILLIS = 1_000;
  private static final int PAUSE_MILLIS = 250;

  private Seed() {}

  /**
   * Returns when the seed listens for other nodes, or at once on the seed itself. A node that
   * started without a reachable seed would end.
   */
  static void await(Pod pod, int storagePort) throws InterruptedException {
    if (pod.isSeed()) {
      return;
    }
    System.out.println("ringside: waiting for the seed " + pod.seed());
    while (!listens(pod.seed(), storagePort)) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private static boolean listens(String host, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
      return true;
    } catch (IOException e) { // also a name that is not known yet
      return false;
    }
  }
}
