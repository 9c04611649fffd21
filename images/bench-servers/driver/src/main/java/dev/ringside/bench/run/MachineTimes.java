package dev.ringside.bench.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Holds the processor time of the whole machine so far, in ticks.
 *
 * @param steal time of other virtual machines while this one had runnable threads
 * @param total all time, including idle time
 */
record MachineTimes(long steal, long total) {
  private static final Path STAT = Path.of("/proc/stat");
  private static final int STEAL = 7;

  /** Later fields are guests' time, which user time includes. */
  private static final int FIELDS = 8;

  static MachineTimes now() throws IOException {
    return parse(Files.readAllLines(STAT, StandardCharsets.US_ASCII).get(0));
  }

  /** Parses the line of all processors. */
  static MachineTimes parse(String line) {
    long[] ticks =
        Arrays.stream(line.trim().split(" +"))
            .skip(1)
            .limit(FIELDS)
            .mapToLong(Long::parseLong)
            .toArray();
    return new MachineTimes(ticks[STEAL], Arrays.stream(ticks).sum());
  }

  /** Returns the share of stolen time since an earlier value, or NaN if no tick has passed. */
  double stealSince(MachineTimes before) {
    long ticks = total - before.total;
    return ticks > 0 ? (double) (steal - before.steal) / ticks : Double.NaN;
  }
}
