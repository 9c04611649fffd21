package dev.ringside.thrift.internal.wire;

/** Implements the framing: every message follows its length, a big-endian i32. */
public final class Frames {
  /** Bytes of a frame's length. */
  public static final int HEADER = 4;

  private Frames() {}

  /** Returns the length at {@code at}. The caller must reject negative and huge values. */
  public static int length(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  /** Reports whether a frame of that length can be accepted. */
  public static boolean isValid(int length, int maxFrameBytes) {
    return length > 0 && length <= maxFrameBytes;
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
   * Returns the size of an array for {@code held[from, to)} and {@code more} bytes. It grows with
   * the bytes that have arrived, not with what a client announces, and not beyond the frame if its
   * length is known.
   */
  public static int capacity(byte[] held, int from, int to, int more, int maxFrameBytes) {
    int needed = to - from + more;
    if (to - from < HEADER) {
      return needed;
    }
    int length = length(held, from);
    if (!isValid(length, maxFrameBytes)) {
      return needed;
    }
    long whole = (long) length + HEADER;
    return (int) Math.max(needed, Math.min(whole, 2L * needed));
  }
}
