package dev.ringside.udp.echo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads how many datagrams the kernel dropped because a socket's receive buffer was full. A server
 * without a hand-off loses datagrams here under overload. The kernel counts per open socket.
 */
final class KernelDrops {
  private static final int LOCAL_ADDRESS = 1;
  private static final int HEXADECIMAL = 16;
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/udp"), Path.of("/proc/self/net/udp6"));

  private KernelDrops() {}

  /**
   * Returns the sum over all sockets on a port in this network namespace; 0 if there is no such
   * table.
   */
  static long of(int port) {
    long sum = 0;
    for (Path table : TABLES) {
      try {
        sum += sum(Files.readAllLines(table), port);
      } catch (IOException e) {
        // not Linux, or no IPv6
      }
    }
    return sum;
  }

  /** Parses a table's lines: the local address is the second column, drops the last. */
  static long sum(List<String> table, int port) {
    long sum = 0;
    for (String line : table) {
      String[] columns = line.trim().split("\\s+");
      String address = columns.length > LOCAL_ADDRESS ? columns[LOCAL_ADDRESS] : "";
      String local = address.substring(address.lastIndexOf(':') + 1);
      if (local.matches("[0-9A-F]{4}") && Integer.parseInt(local, HEXADECIMAL) == port) {
        sum += Long.parseLong(columns[columns.length - 1]);
      }
    }
    return sum;
  }
}
