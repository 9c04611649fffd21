package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;

/** Implements the framing: every message follows its length, a big-endian i32. */
public final class Frames {
  /** Bytes of a frame's length. */
  public static final int HEADER = 4;

  /** Memory for each byte that has arrived. With less, a frame of 1 MB is copied once more. */
  private static final long GROWTH = 4;

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
   * more of it. It grows with the bytes that have arrived, not with what a client announces, and
   * not beyond the frame if its length is known.
   *
   * @param length what the frame announces; 0 if that is not known
   */
  public static int capacity(int needed, int length, int maxFrameBytes) {
    return isValid(length, maxFrameBytes)
        ? (int) Math.max(needed, Math.min((long) length + HEADER, GROWTH * needed))
        : needed;
  }
}
