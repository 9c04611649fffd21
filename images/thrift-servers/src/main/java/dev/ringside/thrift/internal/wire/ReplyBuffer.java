package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;

/**
 * Holds the replies that one thread has written and not sent yet, each after its length. Belongs to
 * one thread and is lent to the connection that the thread serves.
 *
 * <p>The memory is direct: sockets take replies from where they were written. A reply that is
 * larger than the thread's own buffer is written to a larger one, borrowed until it is sent.
 */
public final class ReplyBuffer {
  private static final int HEADER = 4;

  private final LargeBuffers large;

  /** The thread's own. While a larger one is in use, the position is how many bytes that has. */
  private final ByteBuffer own;

  /** The same memory as {@link #own}, for the thread that sends what is published. */
  private final ByteBuffer published;

  /** Where replies are written, from 0 to the position: {@link #own}, or a larger one. */
  private ByteBuffer current;

  /** How many bytes another thread may send on behalf of this one, which is late. */
  private volatile int sendable;

  /** Where the current frame begins; its length is not known yet. */
  private int frame;

  /**
   * Creates a thread's buffer.
   *
   * @param bytes size of the thread's own buffer
   */
  public ReplyBuffer(int bytes, LargeBuffers large) {
    this.large = large;
    this.own = ByteBuffer.allocateDirect(bytes);
    this.published = own.duplicate();
    this.current = own;
  }

  /** Makes room for the length of a frame that begins here. */
  public void beginFrame() {
    frame = size();
    ensure(HEADER);
    current.position(frame + HEADER);
  }

  /** Appends to the frame. */
  public void write(byte[] from, int offset, int length) {
    ensure(length);
    current.put(from, offset, length);
  }

  /** Reports whether the frame contains more than its length. */
  public boolean frameHasBytes() {
    return size() > frame + HEADER;
  }

  /** Ends the frame: writes its length, or removes the frame if it is empty. */
  public void endFrame() {
    if (!frameHasBytes()) {
      current.position(frame);
      return;
    }
    current.putInt(frame, size() - frame - HEADER);
    frame = size();
  }

  /** Removes everything that was written since {@link #size()} was {@code mark}. */
  public void rewind(int mark) {
    if (isLarge() && mark <= own.position()) {
      giveBackLarge();
    }
    current.position(mark);
    frame = mark;
  }

  /**
   * Publishes the current content to other threads. It stays unchanged, whatever is written after
   * it, until this thread drops or clears it. Replies in a larger buffer are sent at once and never
   * published.
   */
  public void publish() {
    int size = isLarge() ? 0 : size();
    if (sendable != size) {
      sendable = size;
    }
  }

  /** Returns how many bytes another thread may send. */
  public int sendable() {
    return sendable;
  }

  /** Returns what another thread may send. For that thread. */
  public ByteBuffer published() {
    published.clear();
    published.limit(sendable);
    return published;
  }

  /** Removes what another thread has sent. */
  public void drop(int sent) {
    if (sent > 0) {
      current.flip();
      current.position(sent);
      current.compact();
      if (isLarge()) {
        // What is there is not the beginning of the larger one any more.
        own.clear();
      }
      frame -= sent;
      sendable = 0;
    }
  }

  public int size() {
    return current.position();
  }

  /** Reports whether the thread's own buffer is used up, so that replies should be sent. */
  public boolean isFull() {
    return size() >= own.capacity();
  }

  /** Reports whether the replies are in a larger buffer than the thread's own. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the thread's buffer, not what it contains.
  public boolean isLarge() {
    return current != own;
  }

  /** Returns the replies, ready to be sent. This must be cleared before the next reply. */
  public ByteBuffer toSend() {
    current.flip();
    return current;
  }

  /** Returns the larger buffer for good, with what is not sent, and empties this. */
  public ByteBuffer handOver() {
    ByteBuffer unsent = current;
    current = own;
    clear();
    return unsent;
  }

  /** Empties the buffer. */
  public void clear() {
    if (isLarge()) {
      giveBackLarge();
    }
    own.clear();
    frame = 0;
    if (sendable != 0) {
      sendable = 0;
    }
  }

  private void ensure(int more) {
    if (more > current.remaining()) {
      grow(Math.addExact(size(), more));
    }
  }

  private void grow(int needed) {
    // With room for the message's end, for which a large field would be copied again.
    long wanted = Math.max(needed + needed / 8L, 2L * current.capacity());
    ByteBuffer larger = large.take((int) Math.min(Integer.MAX_VALUE - 8L, wanted));
    current.flip();
    larger.put(current);
    if (isLarge()) {
      large.giveBack(current);
    } else {
      own.limit(own.capacity());
    }
    current = larger;
  }

  private void giveBackLarge() {
    large.giveBack(current);
    current = own;
  }
}
