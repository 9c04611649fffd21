package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Implements the framing: every message follows its length, a big-endian i32. */
public final class Frames {
  /** Bytes of a frame's length. */
  public static final int HEADER = 4;

  /** Memory for each byte that has arrived. With less, a frame of 1 MB is copied once more. */
  private static final long GROWTH = 4;

  /** The lowest average rate at which a frame must arrive, or a reply must leave. */
  private static final long BYTES_PER_SECOND = 64 << 10;

  private Frames() {}

  /** Returns the length at {@code at}. The caller must reject negative and huge values. */
  public static int length(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  /** Returns the length at the position of {@code count} bytes; 0 if they do not contain it. */
  public static int length(ByteBuffer bytes, int count) {
    return count < HEADER ? 0 : bytes.getInt(bytes.position());
  }

  /** Reports whether a frame of that length can be accepted. */
  public static boolean isValid(int length, int maxFrameBytes) {
    return length > 0 && length <= maxFrameBytes;
  }

  /** Reports whether these bytes are the beginning of one frame, and not all of it. */
  public static boolean isCut(ByteBuffer bytes, int count, int maxFrameBytes) {
    int length = length(bytes, count);
    return isValid(length, maxFrameBytes) && length > count - HEADER;
  }

  /** Returns where the frame at {@code at} ends; -1 if it is incomplete or cannot be accepted. */
  public static int end(byte[] bytes, int at, int to, int maxFrameBytes) {
    if (to - at < HEADER) {
      return -1;
    }
    int length = length(bytes, at);
    return isValid(length, maxFrameBytes) && length <= to - at - HEADER ? at + HEADER + length : -1;
  }

  /**
   * Returns the size of an array for {@code needed} bytes that have arrived of a frame, and for
   * more of it. It grows with the bytes that have arrived, not with what a client announces.
   *
   * @param most the size that is not exceeded, unless more has arrived
   */
  public static int capacity(int needed, long most) {
    return (int) Math.max(needed, Math.min(most, GROWTH * needed));
  }

  /**
   * Reports whether a transfer of a number of bytes takes too long: a frame must arrive, and a
   * reply must leave, at 64 KB/s on average.
   *
   * @param began when it began
   * @param timeout what it may take in addition; 0 is no limit
   */
  public static boolean isLate(long now, long began, long bytes, long timeout) {
    return timeout > 0
        && now - began > timeout + bytes * TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
  }
}
