package dev.ringside.thrift;

import java.util.concurrent.TimeUnit;

/** Whether a transfer gets on: it may not stand still for long, nor creep for ever. */
final class Pace {
  /** A frame, or what is left to send, must come or go at this rate on the whole. */
  private static final long BYTES_PER_SECOND = 64 << 10;

  private Pace() {}

  /**
   * Whether a transfer of so many bytes takes too long.
   *
   * @param began when it began
   * @param timeout what it may take on top of what its bytes take at the slowest rate; 0 for ever
   */
  static boolean isLate(long now, long began, long bytes, long timeout) {
    return timeout > 0
        && now - began > timeout + bytes * TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
  }
}
