package dev.ringside.thrift.internal.wire;

import java.util.Arrays;

/**
 * Holds the replies that one thread has written and not sent yet, each after its length. Belongs to
 * one thread and is lent to the connection that the thread serves.
 */
public final class ReplyBuffer {
  private static final int HEADER = 4;

  /** A buffer that grew beyond this size for a large reply is released. */
  private static final int KEEP = 1 << 20;

  private final int initial;
  private volatile byte[] bytes;
  private int size;

  /** How many bytes another thread may send on behalf of this one, which is late. */
  private volatile int sendable;

  /** Where the current frame begins; its length is not known yet. */
  private int frame;

  public ReplyBuffer(int initial) {
    this.initial = initial;
    this.bytes = new byte[initial];
  }

  /** Makes room for the length of a frame that begins here. */
  public void beginFrame() {
    frame = size;
    ensure(HEADER);
    size += HEADER;
  }

  /** Appends to the frame. */
  public void write(byte[] from, int offset, int length) {
    ensure(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  /** Reports whether the frame contains more than its length. */
  public boolean frameHasBytes() {
    return size > frame + HEADER;
  }

  /** Ends the frame: writes its length, or removes the frame if it is empty. */
  public void endFrame() {
    if (!frameHasBytes()) {
      size = frame;
      return;
    }
    int length = size - frame - HEADER;
    bytes[frame] = (byte) (length >>> 24);
    bytes[frame + 1] = (byte) (length >>> 16);
    bytes[frame + 2] = (byte) (length >>> 8);
    bytes[frame + 3] = (byte) length;
    frame = size;
  }

  /** Ends a frame that carries its own length, written by a transport that frames by itself. */
  public void endRawFrame() {
    int length = size - frame - HEADER;
    System.arraycopy(bytes, frame + HEADER, bytes, frame, length);
    size = frame + length;
    frame = size;
  }

  /** Removes everything that was written since {@link #size()} was {@code mark}. */
  public void rewind(int mark) {
    size = mark;
    frame = mark;
  }

  /**
   * Publishes the current content to other threads. It stays unchanged, whatever is written after
   * it, until this thread drops or clears it.
   */
  public void publish() {
    if (sendable != size) {
      sendable = size;
    }
  }

  /** Returns how many bytes another thread may send. */
  public int sendable() {
    return sendable;
  }

  /** Removes what another thread has sent. */
  public void drop(int sent) {
    if (sent > 0) {
      System.arraycopy(bytes, sent, bytes, 0, size - sent);
      size -= sent;
      frame -= sent;
      sendable = 0;
    }
  }

  public byte[] bytes() {
    return bytes;
  }

  public int size() {
    return size;
  }

  /** Empties the buffer. */
  public void clear() {
    size = 0;
    frame = 0;
    if (sendable != 0) {
      sendable = 0;
    }
    if (bytes.length > KEEP) {
      bytes = new byte[initial];
    }
  }

  private void ensure(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      // With room for the message's end, for which a large field would be copied again.
      long larger = Math.max(needed + needed / 8L, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, larger));
    }
  }
}
