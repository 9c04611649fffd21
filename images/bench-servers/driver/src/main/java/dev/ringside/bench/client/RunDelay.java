package dev.ringside.bench.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads how long the current thread was runnable without a core, as Linux counts it. */
final class RunDelay {
  private static final Path OWN = Path.of("/proc/thread-self/schedstat");
  private static final int FIELD = 1;

  private RunDelay() {}

  /** Returns the time in ns since the thread started, or NaN if the kernel does not report it. */
  static double nanos() {
    try {
      return parse(Files.readString(OWN, StandardCharsets.US_ASCII));
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** Parses a line of: time on a core, time waiting for one, number of time slices. */
  static double parse(String schedstat) {
    return Long.parseLong(schedstat.trim().split(" ")[FIELD]);
  }
}
