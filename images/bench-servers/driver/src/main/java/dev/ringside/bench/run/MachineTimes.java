package dev.ringside.bench.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Processor time of the whole machine so far, in ticks.
 *
 * @param steal what others had while something here could have run
 * @param total all of it, idle time too
 */
record MachineTimes(long steal, long total) {
  private static final Path STAT = Path.of("/proc/stat");
  private static final int STEAL = 7;

  /** Guests' time comes after these, and is within that of users. */
  private static final int FIELDS = 8;

  static MachineTimes now() throws IOException {
    return parse(Files.readAllLines(STAT, StandardCharsets.US_ASCII).get(0));
  }

  /** Of the line of all processors. */
  static MachineTimes parse(String line) {
    long[] ticks =
        Arrays.stream(line.trim().split(" +"))
            .skip(1)
            .limit(FIELDS)
            .mapToLong(Long::parseLong)
            .toArray();
    return new MachineTimes(ticks[STEAL], Arrays.stream(ticks).sum());
  }

  /** Share of the time since then that others had; NaN if no tick has passed. */
  double stealSince(MachineTimes before) {
    long ticks = total - before.total;
    return ticks > 0 ? (double) (steal - before.steal) / ticks : Double.NaN;
  }
}
