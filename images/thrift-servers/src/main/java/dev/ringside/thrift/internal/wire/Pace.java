package dev.ringside.thrift.internal.wire;

import java.util.concurrent.TimeUnit;

/** Decides whether a transfer is too slow: it may neither stop for long nor stay below a rate. */
public final class Pace {
  /** The lowest average rate at which a frame must arrive, or a reply must leave. */
  private static final long BYTES_PER_SECOND = 64 << 10;

  private Pace() {}

  /**
   * Reports whether a transfer of a number of bytes takes too long.
   *
   * @param began when it began
   * @param timeout what it may take in addition to the time of its bytes at the lowest rate; 0 is
   *     no limit
   */
  public static boolean isLate(long now, long began, long bytes, long timeout) {
    return timeout > 0
        && now - began > timeout + bytes * TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
  }
}
