package dev.ringside.ycsb;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.HdrHistogram.Recorder;

/**
 * The HdrHistogram interval log that meter follows: nanoseconds, tags {@code <operation>-st} for
 * service time and, at a constant rate, {@code -rt} for response time. Recording is wait-free and
 * for any number of threads.
 */
final class LoadLog implements AutoCloseable {
  /** The operations' names in tags. */
  enum Kind {
    WRITE,
    READ,
    UPDATE,
    SCAN
  }

  private static final int DIGITS = 3;
  private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final double MILLIS_PER_SECOND = TimeUnit.SECONDS.toMillis(1);

  private final Map<String, Recorder> recorders = new LinkedHashMap<>();
  private final Recorder[] service = new Recorder[Kind.values().length];
  private final Recorder[] response = new Recorder[Kind.values().length];
  private final HistogramLogWriter writer;
  private final PrintStream out;
  private final Thread ticker;
  private final long intervalNanos;
  private long startNanos;
  private long startMillis;
  private long endOfLastNanos;
  private boolean closed;

  /**
   * A log in that file.
   *
   * @param withResponse whether there is a schedule to take response times from
   */
  LoadLog(Path file, int intervalMillis, boolean withResponse) throws IOException {
    out = new PrintStream(Files.newOutputStream(file), false, "UTF-8");
    writer = new HistogramLogWriter(out);
    intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    for (Kind kind : Kind.values()) {
      service[kind.ordinal()] = recorder(kind + "-st");
      if (withResponse) {
        response[kind.ordinal()] = recorder(kind + "-rt");
      }
    }
    ticker = new Thread(this::tick, "log");
    ticker.setDaemon(true);
  }

  private Recorder recorder(String tag) {
    Recorder recorder = new Recorder(DIGITS);
    recorders.put(tag, recorder);
    return recorder;
  }

  /** The load begins now. */
  synchronized void start() {
    startNanos = System.nanoTime();
    startMillis = System.currentTimeMillis();
    endOfLastNanos = startNanos;
    writer.outputComment("Operations of YCSB, in nanoseconds");
    writer.outputLogFormatVersion();
    writer.outputBaseTime(startMillis);
    writer.outputStartTime(startMillis);
    writer.outputLegend();
    out.flush();
    ticker.start();
  }

  /**
   * An operation was answered.
   *
   * @param wanted when the schedule wanted it to start, as System.nanoTime(); 0 if there is none
   */
  void record(Kind kind, long began, long ended, long wanted) {
    service[kind.ordinal()].recordValue(Math.max(0, ended - began));
    if (response[kind.ordinal()] != null) {
      // Before its first wait a thread has no schedule yet.
      long from = wanted == 0 ? began : Math.min(wanted, began);
      response[kind.ordinal()].recordValue(Math.max(0, ended - from));
    }
  }

  /** Nobody interrupts this thread: an interrupt while it writes would close the file. */
  private synchronized void tick() {
    try {
      while (!closed) {
        long wait = endOfLastNanos + intervalNanos - System.nanoTime();
        if (wait > 0) {
          TimeUnit.NANOSECONDS.timedWait(this, wait);
        } else {
          writeInterval();
        }
      }
    } catch (InterruptedException e) {
      // close() writes what is left
    }
  }

  private void writeInterval() {
    long now = System.nanoTime();
    double base = startMillis / MILLIS_PER_SECOND;
    double from = base + (endOfLastNanos - startNanos) / NANOS_PER_SECOND;
    double to = base + (now - startNanos) / NANOS_PER_SECOND;
    for (Map.Entry<String, Recorder> entry : recorders.entrySet()) {
      Histogram interval = entry.getValue().getIntervalHistogram();
      if (interval.getTotalCount() > 0) {
        interval.setTag(entry.getKey());
        writer.outputIntervalHistogram(from - base, to - base, interval, NANOS_PER_MILLI);
      }
    }
    out.flush();
    endOfLastNanos = now;
  }

  /** Writes the last interval, which is shorter than the others. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (!closed && startMillis != 0) {
        writeInterval();
      }
      closed = true;
      notifyAll();
      out.close();
      if (out.checkError()) {
        throw new IOException("the log could not be written");
      }
    }
  }
}
