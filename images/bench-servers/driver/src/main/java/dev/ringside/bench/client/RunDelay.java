package dev.ringside.bench.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** How long the thread that asks could have run and had no core, as Linux counts it. */
final class RunDelay {
  private static final Path OWN = Path.of("/proc/thread-self/schedstat");
  private static final int FIELD = 1;

  private RunDelay() {}

  /** In ns since the thread began; NaN where the kernel does not tell. */
  static double nanos() {
    try {
      return parse(Files.readString(OWN, StandardCharsets.US_ASCII));
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** Of the time on a core, the time in wait of one, and the times it got one. */
  static double parse(String schedstat) {
    return Long.parseLong(schedstat.trim().split(" ")[FIELD]);
  }
}
