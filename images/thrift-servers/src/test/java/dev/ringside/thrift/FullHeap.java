package dev.ringside.thrift;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.TimeUnit;

/**
 * Runs a server in a process with a small heap. A call of "fill" fills the heap for as many
 * milliseconds as the process's argument says, in which every thread of the server runs out of
 * memory. Prints the port. Ends when its input ends.
 */
final class FullHeap {
  private FullHeap() {}

  static Process start(int millis) throws IOException {
    return new ProcessBuilder(
            System.getProperty("java.home") + "/bin/java",
            "-Xmx48m",
            "-XX:-OmitStackTraceInFastThrow",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-cp",
            System.getProperty("java.class.path"),
            FullHeap.class.getName(),
            String.valueOf(millis))
        .redirectError(new File("/dev/null"))
        .start();
  }

  static int port(Process process) throws IOException {
    return Integer.parseInt(
        new BufferedReader(new InputStreamReader(process.getInputStream())).readLine());
  }

  /** Is one piece of what fills the heap. */
  private static final class Piece {
    private final Piece next;
    private final byte[] bytes;

    Piece(Piece next, int size) {
      this.next = next;
      this.bytes = new byte[size];
    }
  }

  private static Piece held;

  private static byte[] fill(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    int size = 1 << 20;
    while (System.nanoTime() - end < 0) {
      try {
        held = new Piece(held, size);
      } catch (OutOfMemoryError e) {
        size = Math.max(16, size / 2);
      }
    }
    held = null;
    return new byte[0];
  }

  public static void main(String[] args) throws Exception {
    long millis = Long.parseLong(args[0]);
    TestService service =
        Load.moodyService()
            .on("fill", argument -> fill(millis))
            .on("large", argument -> new byte[64 << 10]);
    try (RunningServer server = new RunningServer(service, arguments -> arguments.maxWorkers(8))) {
      service.on("ready", argument -> Bytes.of(String.valueOf(server.server.isReady())));
      System.out.println(server.port);
      while (System.in.read() >= 0) {
        // until the test ends
      }
    }
  }
}
