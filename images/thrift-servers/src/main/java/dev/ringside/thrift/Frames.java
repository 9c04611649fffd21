package dev.ringside.thrift;

/** The framing: every message is behind its length, a big-endian i32. */
final class Frames {
  /** Bytes of a frame's length. */
  static final int HEADER = 4;

  private Frames() {}

  /**
   * The length that is written at {@code at}; negative and huge values are for the caller to
   * refuse.
   */
  static int length(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  /** Whether a frame of that length can be accepted. */
  static boolean isValid(int length, int maxFrameBytes) {
    return length > 0 && length <= maxFrameBytes;
  }

  /**
   * How large an array should be that holds {@code held[from, to)} and {@code more} bytes. It grows
   * with the bytes that have come, not with what a client announces, and not beyond the frame if
   * that is known.
   */
  static int capacity(byte[] held, int from, int to, int more, int maxFrameBytes) {
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
