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
 * Writes the HdrHistogram log that meter reads; its values are nanoseconds. Times are given as
 * {@link System#nanoTime} and written in seconds with three decimals. For one thread at a time.
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

  /** Writes the header. The given time, which must be now, is the start of the load. */
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

  /** Writes the line of one interval. */
  void write(String tag, long fromNanos, long lengthNanos, Histogram histogram) {
    double from = (fromNanos - startNanos) / NANOS_PER_SECOND;
    histogram.setTag(tag);
    writer.outputIntervalHistogram(
        from, from + lengthNanos / NANOS_PER_SECOND, histogram, NANOS_PER_MILLI);
  }

  /**
   * Writes the store's counters of a window as a comment, which readers of histograms skip.
   *
   * @param operations operations that were answered in the window
   * @param counters null if they are not known
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

  /** Flushes the log, so that readers of the file see it. */
  void flush() {
    out.flush();
  }

  /**
   * Closes the log.
   *
   * @throws IOException if any part of it could not be written
   */
  @Override
  public void close() throws IOException {
    out.close();
    if (out.checkError()) {
      throw new IOException("the log could not be written");
    }
  }
}
