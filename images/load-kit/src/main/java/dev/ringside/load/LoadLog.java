package dev.ringside.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** The log of a plain phase: a line per operation and kind of latency in each interval of time. */
public final class LoadLog implements AutoCloseable {
  private final List<Channel> channels = new ArrayList<>();
  private final HistogramLog log;
  private final Thread ticker;
  private final long intervalNanos;
  private final boolean scheduled;
  private long endOfLastNanos;
  private boolean started;
  private boolean closed;

  /**
   * A log in that file.
   *
   * @param scheduled whether there is a schedule to take response times from
   */
  public LoadLog(Path file, int intervalMillis, boolean scheduled) throws IOException {
    log = new HistogramLog(file);
    intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    this.scheduled = scheduled;
    ticker = new Thread(this::tick, "log");
    ticker.setDaemon(true);
  }

  /** Where the times of one kind of operation go; before the start. */
  public Channel channel(String operation) {
    return channel(operation, 1);
  }

  /** The same, where each time that is recorded is that of so many operations. */
  Channel channel(String operation, int batch) {
    Channel channel = new Channel(LatencyTags.of(operation, scheduled), batch);
    channels.add(channel);
    return channel;
  }

  /** The times of one kind of operation. Recording is wait-free and for any number of threads. */
  public static final class Channel {
    /**
     * Longer times count as this one. Recorders that grow as they must do so in a race (seen with
     * 2.2.2): where several threads at once have a time that is too long, a histogram may say that
     * it is smaller than it is, and its line cannot be read.
     */
    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

    private final List<String> tags;
    private final List<Recorder> recorders = new ArrayList<>();
    private final int batch;

    private Channel(List<String> tags, int batch) {
      this.tags = tags;
      this.batch = batch;
      tags.forEach(tag -> recorders.add(new Recorder(LONGEST_NANOS, HistogramLog.DIGITS)));
    }

    /**
     * An operation was answered.
     *
     * @param due when the schedule wanted it to begin, as System.nanoTime(); {@code began} if
     *     nothing did
     */
    public void record(long began, long ended, long due) {
      record(LatencyTags.SERVICE, ended - began);
      if (recorders.size() > 1) {
        // A clock that wakes a thread too early must not make its wait negative.
        long from = Math.min(due, began);
        record(LatencyTags.RESPONSE, ended - from);
        record(LatencyTags.WAIT, began - from);
      }
    }

    private void record(int kind, long nanos) {
      recorders.get(kind).recordValueWithCount(Math.min(Math.max(0, nanos), LONGEST_NANOS), batch);
    }
  }

  /** The load begins now. */
  public synchronized void start() {
    endOfLastNanos = System.nanoTime();
    log.start(endOfLastNanos);
    started = true;
    ticker.start();
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
    for (Channel channel : channels) {
      for (int i = 0; i < channel.tags.size(); i++) {
        Histogram interval = channel.recorders.get(i).getIntervalHistogram();
        if (interval.getTotalCount() > 0) {
          log.write(channel.tags.get(i), endOfLastNanos, now - endOfLastNanos, interval);
        }
      }
    }
    log.flush();
    endOfLastNanos = now;
  }

  /** Writes the last interval, which is shorter than the others. */
  @Override
  public synchronized void close() throws IOException {
    if (!closed && started) {
      writeInterval();
    }
    closed = true;
    notifyAll();
    log.close();
  }
}
