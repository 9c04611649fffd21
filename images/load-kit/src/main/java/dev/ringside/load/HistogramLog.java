package dev.ringside.load;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The HdrHistogram log that meter follows, in nanoseconds. Times go in as {@link System#nanoTime}
 * and are written in thousandths of a second. For one thread at a time.
 */
final class HistogramLog implements Closeable {
  /** Significant digits of all histograms: meter merges no others. */
  static final int DIGITS = 3;

  private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final PrintStream out;
  private final HistogramLogWriter writer;
  private long startNanos;

  HistogramLog(Path file) throws IOException {
    out = new PrintStream(Files.newOutputStream(file), false, "UTF-8");
    writer = new HistogramLogWriter(out);
  }

  /** The load begins at that time, which was just now. */
  void start(long nanos) {
    startNanos = nanos;
    long startMillis = System.currentTimeMillis();
    writer.outputComment("Operations in nanoseconds");
    writer.outputLogFormatVersion();
    writer.outputBaseTime(startMillis);
    writer.outputStartTime(startMillis);
    writer.outputLegend();
    out.flush();
  }

  /** Writes one line. */
  void write(String tag, long fromNanos, long lengthNanos, Histogram histogram) {
    double from = (fromNanos - startNanos) / NANOS_PER_SECOND;
    histogram.setTag(tag);
    writer.outputIntervalHistogram(
        from, from + lengthNanos / NANOS_PER_SECOND, histogram, NANOS_PER_MILLI);
  }

  /**
   * Writes what the store counted in a window, in a comment: readers of histograms pass it over.
   *
   * @param operations answered in the window
   * @param counters null where they are not known
   */
  void writeCounters(
      String label, long fromNanos, long lengthNanos, long operations, Map<String, Long> counters) {
    StringBuilder line = new StringBuilder("[Counters: ").append(label);
    line.append(
        String.format(
            Locale.US,
            " start=%.3f length=%.3f operations=%d windows=1 unknown=%d",
            (fromNanos - startNanos) / NANOS_PER_SECOND,
            lengthNanos / NANOS_PER_SECOND,
            counters == null ? 0 : operations,
            counters == null ? 1 : 0));
    if (counters != null) {
      counters.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    }
    writer.outputComment(line.append(']').toString());
  }

  /** Lets a reader see what was written. */
  void flush() {
    out.flush();
  }

  /**
   * Ends the log.
   *
   * @throws IOException if anything of it could not be written
   */
  @Override
  public void close() throws IOException {
    out.close();
    if (out.checkError()) {
      throw new IOException("the log could not be written");
    }
  }
}
