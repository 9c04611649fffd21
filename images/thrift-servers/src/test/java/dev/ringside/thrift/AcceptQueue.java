package dev.ringside.thrift;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.stream.Stream;

/**
 * Counts connections that the kernel has established and the process has not accepted. Linux only.
 */
final class AcceptQueue {
  private static final String LISTEN = "0A";

  private AcceptQueue() {}

  /**
   * Returns the queue's length of a listening port; see proc_net_tcp.txt of the kernel's
   * documentation.
   */
  static int length(int port) {
    return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
        .map(Paths::get)
        .filter(Files::exists)
        .flatMap(AcceptQueue::lines)
        .map(line -> line.trim().split("[\\s:]+"))
        .filter(fields -> isListening(fields, port))
        .mapToInt(fields -> Integer.parseInt(fields[7], 16))
        .sum();
  }

  /** The fields: sl, local address and port, remote address and port, state, tx queue, rx queue. */
  private static boolean isListening(String[] fields, int port) {
    return fields.length > 7 && fields[5].equals(LISTEN) && Integer.parseInt(fields[2], 16) == port;
  }

  private static Stream<String> lines(Path path) {
    try {
      return Files.readAllLines(path).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
