package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;

/**
 * Holds what one connection has received and not run yet: the beginning of a frame, or complete
 * frames that wait. Its memory grows with what arrived, not with what was announced. A frame that
 * is larger than the connection's allowance must be admitted to the {@link Budget} with its whole
 * length; until then it is not read further. For the thread that serves the connection.
 */
public final class Inbox {
  private static final byte[] NOTHING = {};

  private final Budget budget;
  private final int maxFrameBytes;

  /** {@code held[from, to)}. Empty if there is nothing. */
  private byte[] held = NOTHING;

  private int from;
  private int to;

  /** The length with which the first frame was admitted; 0 if it was not. */
  private int admitted;

  /** System.nanoTime() when the first bytes of the incomplete frame arrived, or later. */
  private long began;

  public Inbox(Budget budget, int maxFrameBytes) {
    this.budget = budget;
    this.maxFrameBytes = maxFrameBytes;
  }

  public boolean isEmpty() {
    return held.length == 0;
  }

  public byte[] bytes() {
    return held;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  /** Reports whether the server may read more; if not, it must wait for memory. */
  public boolean mayRead() {
    return admit(to - from, length());
  }

  private boolean admit(int arrived, int length) {
    if (admitted == 0 && arrived >= budget.allowance() && budget.admit(length)) {
      admitted = length;
    }
    return admitted > 0 || arrived < budget.allowance();
  }

  /** Reports whether {@link #mayRead()} would probably be true now. */
  public boolean hasRoom() {
    return !isUnfinished()
        || admitted > 0
        || to - from < budget.allowance()
        || budget.admits(length());
  }

  /** Lets the client's time for the frame begin now, because the server could not read before. */
  public void beginAgain(long now) {
    began = now;
  }

  /** Reports whether it holds a frame that is incomplete. */
  public boolean isUnfinished() {
    return !isEmpty() && to - from < (long) Frames.HEADER + length();
  }

  /** Returns System.nanoTime() when the client could begin the incomplete frame. */
  public long began() {
    return began;
  }

  /** Reports whether the client takes too long to send a frame. */
  public boolean isLate(long now, long timeout) {
    return isUnfinished() && Frames.isLate(now, began, length(), timeout);
  }

  /** Returns the length of the first frame, 0 if it is not known. */
  private int length() {
    return to - from < Frames.HEADER ? 0 : Math.max(0, Frames.length(held, from));
  }

  /** Appends bytes that were received. */
  public void append(ByteBuffer bytes, int count, long now) {
    int have = to - from;
    if (isEmpty()) {
      began = now;
    }
    if (held.length - to < count) {
      int length = have == 0 ? Frames.length(bytes, count) : length();
      byte[] larger = new byte[capacity(have + count, length)];
      System.arraycopy(held, from, larger, 0, have);
      budget.hold(larger.length - held.length);
      held = larger;
      from = 0;
      to = have;
    }
    bytes.get(held, to, count);
    to += count;
  }

  private int capacity(int needed, int length) {
    if (!Frames.isValid(length, maxFrameBytes)) {
      return needed;
    }
    boolean any = admit(needed, length) && admitted > 0;
    long frame = (long) length + Frames.HEADER;
    return Frames.capacity(needed, any ? frame : Math.min(frame, 2L * budget.allowance()));
  }

  /** Keeps only {@code bytes[first, end)}, which may be held already. */
  public void keep(byte[] bytes, int first, int end, long now) {
    if (first == end) {
      drop();
    } else if (bytes != held) {
      append(ByteBuffer.wrap(bytes, first, end - first), end - first, now);
    } else if (end - first < held.length / 4) {
      // A large frame is done with: do not hold its memory for the little that came after it.
      drop();
      append(ByteBuffer.wrap(bytes, first, end - first), end - first, now);
    } else if (first != from) {
      release();
      from = first;
      began = now;
    }
  }

  public void drop() {
    if (!isEmpty()) {
      budget.hold(-held.length);
      held = NOTHING;
      from = 0;
      to = 0;
      release();
    }
  }

  private void release() {
    budget.giveBack(admitted);
    admitted = 0;
  }
}
