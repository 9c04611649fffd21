package dev.ringside.trip.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What this process had its disks read and write, by the kernel's own count: the same for every
 * cache, whatever it knows of itself. Pages that were written to and are not on the disk yet count
 * as written.
 */
final class DiskTraffic {
  private static final Path TABLE = Path.of("/proc/self/io");

  private DiskTraffic() {}

  /** {@code read_bytes} and {@code written_bytes}; empty where the kernel does not tell. */
  static Map<String, Long> now() {
    try {
      return of(Files.readAllLines(TABLE));
    } catch (IOException e) {
      return Map.of(); // not Linux, or kept from us
    }
  }

  /** From a table's lines, {@code name: value} each. */
  static Map<String, Long> of(List<String> table) {
    Map<String, Long> traffic = new HashMap<>();
    for (String line : table) {
      String[] pair = line.split(":\\s*");
      if (pair[0].equals("read_bytes")) {
        traffic.put("read_bytes", Long.parseLong(pair[1].trim()));
      } else if (pair[0].equals("write_bytes")) {
        traffic.put("written_bytes", Long.parseLong(pair[1].trim()));
      }
    }
    return traffic;
  }
}
