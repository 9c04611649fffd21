package dev.ringside.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The log of a plain phase: in each interval of time one line per operation and kind of latency.
 */
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
   * Creates the log in that file.
   *
   * @param scheduled whether operations have due times, and so response times
   */
  public LoadLog(Path file, int intervalMillis, boolean scheduled) throws IOException {
    log = new HistogramLog(file);
    intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    this.scheduled = scheduled;
    ticker = new Thread(this::tick, "log");
    ticker.setDaemon(true);
  }

  /** Returns a channel for the times of one kind of operation. Call it before {@link #start}. */
  public Channel channel(String operation) {
    return channel(operation, 1);
  }

  /** Returns a channel in which each recorded time counts for {@code batch} operations. */
  Channel channel(String operation, int batch) {
    Channel channel = new Channel(operation, LatencyTags.of(operation, scheduled), batch);
    channels.add(channel);
    return channel;
  }

  /**
   * The times of one kind of operation. Recording is wait-free and safe for any number of threads.
   */
  public static final class Channel {
    /**
     * The longest time; longer times count as this one. Recorders with a fixed range avoid a race
     * that was seen in the library's version 2.2.2: when several threads at once record a time
     * beyond the range, an automatically resized histogram can report too small a size, and its
     * line cannot be read.
     */
    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

    private final List<String> tags;
    private final List<Recorder> recorders = new ArrayList<>();
    private final FailedTimes failed = new FailedTimes(LONGEST_NANOS);
    private final String failedTag;
    private final int batch;

    private Channel(String operation, List<String> tags, int batch) {
      this.tags = tags;
      failedTag = LatencyTags.failed(operation);
      this.batch = batch;
      tags.forEach(tag -> recorders.add(new Recorder(LONGEST_NANOS, HistogramLog.DIGITS)));
    }

    /**
     * Records an answered operation; all times are {@link System#nanoTime}.
     *
     * @param due when the operation was due; equal to {@code began} in a closed loop
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

    /**
     * Records a failed operation. It counts as if it had been answered when its client would have
     * given up, because it is not known when the store would have answered it.
     *
     * @param due when the operation was due; equal to {@code began} in a closed loop
     * @param timeoutNanos how long the client waits for an answer
     */
    public void failed(long began, long ended, long due, long timeoutNanos) {
      failed.add(Math.min(due, began), Math.max(ended, began + timeoutNanos));
    }

    private void record(int kind, long nanos) {
      recorders.get(kind).recordValueWithCount(Math.min(Math.max(0, nanos), LONGEST_NANOS), batch);
    }
  }

  /** Starts the log and its thread; the load begins now. */
  public synchronized void start() {
    endOfLastNanos = System.nanoTime();
    log.start(endOfLastNanos);
    started = true;
    ticker.start();
  }

  /**
   * Writes an interval whenever one has passed. Nothing interrupts this thread, because an
   * interrupt during a write would close the file.
   */
  private synchronized void tick() {
    try {
      while (!closed) {
        long wait = endOfLastNanos + intervalNanos - System.nanoTime();
        if (wait > 0) {
          TimeUnit.NANOSECONDS.timedWait(this, wait);
        } else {
          writeInterval(false);
        }
      }
    } catch (InterruptedException e) {
      // close() writes the last interval
    }
  }

  private void writeInterval(boolean last) {
    long now = System.nanoTime();
    for (Channel channel : channels) {
      for (int i = 0; i < channel.tags.size(); i++) {
        Histogram interval = channel.recorders.get(i).getIntervalHistogram();
        if (interval.getTotalCount() > 0) {
          log.write(channel.tags.get(i), endOfLastNanos, now - endOfLastNanos, interval);
        }
      }
      Histogram failed = channel.failed.until(now, last, channel.batch);
      if (failed.getTotalCount() > 0) {
        log.write(channel.failedTag, endOfLastNanos, now - endOfLastNanos, failed);
      }
    }
    log.flush();
    endOfLastNanos = now;
  }

  /** Writes the last interval, which is shorter than the others, and closes the log. */
  @Override
  public synchronized void close() throws IOException {
    if (!closed && started) {
      writeInterval(true);
    }
    closed = true;
    notifyAll();
    log.close();
  }
}
