package dev.ringside.thrift.internal.wire;

import dev.ringside.thrift.internal.metrics.Metrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Sends one connection's replies, and holds those that the client has not read yet. For the thread
 * that serves the connection.
 */
public final class Outbox {
  private static final ArrayDeque<ByteBuffer> NOTHING = new ArrayDeque<>(0);

  private final Wire wire;
  private final Metrics metrics;
  private final Budget budget;

  /** Replied and not sent, ready to be sent. */
  private ArrayDeque<ByteBuffer> unsent = NOTHING;

  /** How many bytes that was at first. */
  private long length;

  /** How many bytes are reserved for the reply of the next request. */
  private int reserved;

  /** Whether the client did not accept all of the last reply at once. */
  private boolean slow;

  /** System.nanoTime() when the client first did not accept what is unsent. */
  private long began;

  /** System.nanoTime() when it last accepted any of it. */
  private long moved;

  public Outbox(Wire wire, Metrics metrics, Budget budget) {
    this.wire = wire;
    this.metrics = metrics;
    this.budget = budget;
  }

  public boolean isEmpty() {
    return unsent.isEmpty() && !wire.hasUnsent();
  }

  /**
   * Reserves memory for the reply of the next request, until it is sent. Returns false while memory
   * is short, if the reply is expected to be large or the client reads slowly.
   *
   * @param bytes the expected size
   */
  public boolean reserve(int bytes) {
    release();
    boolean reserves = needsMemory(bytes);
    if (reserves && !budget.reserve(bytes)) {
      return false;
    }
    reserved = reserves ? bytes : 0;
    return true;
  }

  /** Reports whether {@link #reserve} would probably return true now. */
  public boolean reserves(int bytes) {
    return !needsMemory(bytes) || budget.reserves(bytes);
  }

  private boolean needsMemory(int bytes) {
    return slow || bytes > budget.allowance();
  }

  private void release() {
    budget.giveBack(reserved);
    reserved = 0;
  }

  /**
   * Returns System.nanoTime() when the client last accepted some of what was unsent; 0 if never.
   */
  public long moved() {
    return moved;
  }

  /** Reports whether the client takes too long to read what is unsent. */
  public boolean isLate(long now, long timeout) {
    return !unsent.isEmpty() && Frames.isLate(now, began, length, timeout);
  }

  /** Lets the client's time for reading begin now, because the server could not send before. */
  public void beginAgain(long now) {
    began = now;
    moved = now;
  }

  /** Sends the thread's reply buffer; returns false if the client does not accept all of it now. */
  public boolean send(ThreadBuffers io) throws IOException {
    ReplyBuffer replies = io.replies;
    if (replies.isEmpty()) {
      release();
      return true;
    }
    ByteBuffer[] pieces = replies.toSend();
    metrics.bytesWritten.add(
        pieces.length == 1 ? wire.write(io, pieces[0]) : wire.write(io, pieces));
    slow = false;
    for (int i = 0; i < pieces.length; i++) {
      ByteBuffer piece = pieces[i];
      if (piece.hasRemaining()) {
        // The first one is the thread's own, and so is direct memory.
        if (i == 0 || piece.isDirect() || piece.remaining() < piece.capacity() / 2) {
          hold(copy(piece));
        } else {
          hold(piece);
          replies.take(i);
        }
        slow = true;
        began = io.now;
        moved = io.now;
      }
    }
    replies.clear();
    release();
    return !slow;
  }

  private static ByteBuffer copy(ByteBuffer piece) {
    ByteBuffer copy = ByteBuffer.allocate(piece.remaining());
    copy.put(piece);
    copy.flip();
    return copy;
  }

  private void hold(ByteBuffer piece) {
    if (unsent.isEmpty()) {
      unsent = new ArrayDeque<>();
      length = 0;
    }
    unsent.add(piece);
    length += piece.remaining();
    budget.use(piece.capacity());
  }

  /**
   * Sends the replies that a thread has published, on its behalf; returns how many bytes were sent.
   */
  public int sendFor(ReplyBuffer replies, ThreadBuffers own) throws IOException {
    int sent = wire.write(own, replies.published());
    metrics.bytesWritten.add(sent);
    return sent;
  }

  /** Sends what is unsent; returns false if the client still does not accept all of it. */
  public boolean sendUnsent(ThreadBuffers io) throws IOException {
    while (!unsent.isEmpty()) {
      ByteBuffer piece = unsent.element();
      int sent = wire.write(io, piece);
      metrics.bytesWritten.add(sent);
      if (sent > 0) {
        moved = io.now;
      }
      if (piece.hasRemaining()) {
        return false;
      }
      dropFirst();
    }
    return wire.flush(io);
  }

  private void dropFirst() {
    budget.giveBack(unsent.remove().capacity());
    if (unsent.isEmpty()) {
      unsent = NOTHING;
    }
  }

  /** Discards what is unsent. */
  public void drop() {
    release();
    while (!unsent.isEmpty()) {
      dropFirst();
    }
  }
}
