package dev.ringside.thrift;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the total idle time of the machine's processors, as the kernel counts it. A thread
 * samples it a hundred times per second, so that a read costs nothing.
 */
final class IdleTime implements AutoCloseable {
  private static final Path STAT = Paths.get("/proc/stat");
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Thread sampler = new Thread(this::sample, "idle-time");
  private volatile long nanos = read();
  private volatile boolean done;

  IdleTime() {
    sampler.setDaemon(true);
    sampler.start();
  }

  /**
   * Returns the idle time in ns so far. If the kernel does not report it, one processor counts as
   * always idle.
   */
  long nanos() {
    return nanos;
  }

  private void sample() {
    while (!done) {
      LockSupport.parkNanos(TICK_NANOS);
      nanos = read();
    }
  }

  private static long read() {
    try {
      return nanos(new String(Files.readAllBytes(STAT), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      return System.nanoTime();
    }
  }

  /** Parses the idle time in the text of /proc/stat, including the time that waits for I/O. */
  static long nanos(String stat) {
    String[] fields = stat.substring(0, stat.indexOf('\n')).split(" +");
    return (Long.parseLong(fields[4]) + Long.parseLong(fields[5])) * TICK_NANOS;
  }

  @Override
  public void close() throws InterruptedException {
    done = true;
    sampler.join();
  }
}
