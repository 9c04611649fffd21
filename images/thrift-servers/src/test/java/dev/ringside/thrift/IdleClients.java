package dev.ringside.thrift;

import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds connections open in its own process, because one process may not have enough open files for
 * both ends. Arguments: port, number. Prints "open" when all are open; ends when its input ends.
 */
final class IdleClients {
  private IdleClients() {}

  /** Starts the process and waits for its connections. */
  static Process start(int port, int count) throws IOException {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                IdleClients.class.getName(),
                String.valueOf(port),
                String.valueOf(count))
            .redirectError(ProcessBuilder.Redirect.to(new File("/dev/null")))
            .start();
    if (process.getInputStream().read() != 'o') {
      process.destroyForcibly();
      throw new IOException("the process could not open " + count + " connections");
    }
    return process;
  }

  public static void main(String[] args) throws IOException {
    List<Socket> open = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      open.add(new Socket("127.0.0.1", Integer.parseInt(args[0])));
    }
    System.out.println("open");
    while (System.in.read() >= 0) {
      // until the test ends
    }
    for (Socket socket : open) {
      socket.close();
    }
  }
}
