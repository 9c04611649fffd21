package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;

/**
 * Holds what one connection has received and not run yet: the beginning of a frame, or complete
 * frames that wait. Its memory grows with what arrived, not with what was announced, and is charged
 * to the server's {@link ReadBudget}. For the thread that serves the connection.
 */
public final class Inbox {
  private static final byte[] NOTHING = {};
  private static final int SMALL = 4 << 10;

  private final ReadBudget budget;
  private final int maxFrameBytes;

  /** {@code held[from, to)}. Empty if there is nothing. */
  private byte[] held = NOTHING;

  private int from;
  private int to;

  /** Bytes charged to the budget. */
  private int charged;

  /** Whether it is the one that may continue although the budget is used up. */
  private boolean exempt;

  /** Whether it had to wait for memory, which is not its client's delay. */
  private boolean starved;

  /** System.nanoTime() when the first bytes of the incomplete frame arrived. */
  private long began;

  public Inbox(ReadBudget budget, int maxFrameBytes) {
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

  /**
   * Returns how many bytes the next read may bring at most; 0 to wait until some of the budget is
   * given back. When the budget is used up, reads are small: most requests are small and arrive
   * complete, so they need no memory here.
   */
  public int readLimit(long now) {
    boolean room = budget.hasRoom();
    if (!room && isEmpty()) {
      return SMALL;
    }
    exempt |= !room && budget.tryExempt(this);
    if (!room && !exempt) {
      starved = true;
      return 0;
    }
    if (starved) {
      starved = false;
      began = now;
    }
    return Integer.MAX_VALUE;
  }

  /** Reports whether the server does not read from its client for now, because memory is short. */
  public boolean isStarved() {
    return starved;
  }

  /** Ends an exemption, which is for one frame only. Called when the connection has been served. */
  public void served() {
    if (isEmpty()) {
      endExemption();
    }
  }

  /**
   * Reports whether the client could send the rest of a frame: the frame is incomplete, and the
   * server reads.
   */
  public boolean isUnfinished() {
    return !isEmpty() && !starved && to - from < Frames.HEADER + length();
  }

  /**
   * Returns System.nanoTime() when the incomplete frame began, or when the server last began to
   * read it again.
   */
  public long began() {
    return began;
  }

  /** Reports whether the client takes too long to send a frame. */
  public boolean isLate(long now, long timeout) {
    return isUnfinished() && Pace.isLate(now, began, length(), timeout);
  }

  /** Returns the length of the first frame, 0 if it is not known. */
  private long length() {
    return to - from < Frames.HEADER ? 0 : Math.max(0, Frames.length(held, from));
  }

  /** Appends bytes that were received. */
  public void append(ByteBuffer bytes, int count, long now) {
    int have = to - from;
    if (isEmpty()) {
      began = now;
    }
    if (held.length - to < count) {
      int length = have == 0 ? Frames.length(bytes, count) : (int) length();
      byte[] larger = new byte[Frames.capacity(have + count, length, maxFrameBytes)];
      System.arraycopy(held, from, larger, 0, have);
      held = larger;
      from = 0;
      to = have;
      charge(larger.length);
    }
    bytes.get(held, to, count);
    to += count;
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
      from = first;
      began = now;
    }
  }

  public void drop() {
    if (!isEmpty()) {
      held = NOTHING;
      from = 0;
      to = 0;
      budget.add(-charged);
      charged = 0;
      endExemption();
      budget.shortage().eased();
    }
  }

  private void charge(int bytes) {
    if (bytes > charged) {
      budget.add(bytes - charged);
      charged = bytes;
    }
  }

  private void endExemption() {
    if (exempt) {
      exempt = false;
      budget.endExemption(this);
      budget.shortage().eased();
    }
  }
}
