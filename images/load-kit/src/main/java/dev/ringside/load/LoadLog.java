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
    Channel channel = new Channel(LatencyTags.of(operation, scheduled));
    channels.add(channel);
    return channel;
  }

  /** The times of one kind of operation. Recording is wait-free and for any number of threads. */
  public static final class Channel {
    private final List<String> tags;
    private final List<Recorder> recorders = new ArrayList<>();

    private Channel(List<String> tags) {
      this.tags = tags;
      tags.forEach(tag -> recorders.add(new Recorder(HistogramLog.DIGITS)));
    }

    /**
     * An operation was answered.
     *
     * @param due when the schedule wanted it to begin, as System.nanoTime(); {@code began} if
     *     nothing did
     */
    public void record(long began, long ended, long due) {
      recorders.get(LatencyTags.SERVICE).recordValue(Math.max(0, ended - began));
      if (recorders.size() > 1) {
        // A clock that wakes a thread too early must not make its wait negative.
        long from = Math.min(due, began);
        recorders.get(LatencyTags.RESPONSE).recordValue(Math.max(0, ended - from));
        recorders.get(LatencyTags.WAIT).recordValue(began - from);
      }
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
