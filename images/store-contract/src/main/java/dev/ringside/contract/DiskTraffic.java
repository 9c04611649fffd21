package dev.ringside.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the kernel's counts of this process's disk reads and writes, which mean the same for every
 * store. Dirty pages that are not on the disk yet count as written.
 */
public final class DiskTraffic {
  private static final Path TABLE = Paths.get("/proc/self/io");

  private DiskTraffic() {}

  /**
   * Returns {@code read_bytes} and {@code written_bytes}; empty if the kernel does not report them.
   */
  public static Map<String, Long> now() {
    try {
      return of(Files.readAllLines(TABLE));
    } catch (IOException e) {
      return Collections.emptyMap(); // not Linux, or no permission
    }
  }

  /** Parses a table's lines of {@code name: value}. */
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
