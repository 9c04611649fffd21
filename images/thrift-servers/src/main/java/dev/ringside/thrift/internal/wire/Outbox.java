package dev.ringside.thrift.internal.wire;

import dev.ringside.thrift.internal.metrics.Metrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends one connection's replies, and holds those that the client has not read yet. For the thread
 * that serves the connection.
 */
public final class Outbox {
  private final Wire wire;
  private final Metrics metrics;
  private final UnsentBytes all;
  private final LargeBuffers large;

  /** Replied and not sent, ready to be sent. Null if there is nothing. */
  private @Nullable ByteBuffer unsent;

  /** How many bytes that was at first. */
  private int length;

  /** How many bytes of memory are charged for it. */
  private int charged;

  /** System.nanoTime() when the client first did not accept what is unsent. */
  private long began;

  /** System.nanoTime() when it last accepted any of it. */
  private long moved;

  public Outbox(Wire wire, Metrics metrics, UnsentBytes all, LargeBuffers large) {
    this.wire = wire;
    this.metrics = metrics;
    this.all = all;
    this.large = large;
  }

  public boolean isEmpty() {
    return unsent == null && !wire.hasUnsent();
  }

  /**
   * Returns System.nanoTime() when the client last accepted some of what was unsent; 0 if never.
   */
  public long moved() {
    return moved;
  }

  /** Reports whether the client takes too long to read what is unsent. */
  public boolean isLate(long now, long timeout) {
    return unsent != null && Pace.isLate(now, began, length, timeout);
  }

  /** Sends the thread's reply buffer; returns false if the client does not accept all of it now. */
  public boolean send(ThreadBuffers io) throws IOException {
    ReplyBuffer replies = io.replies;
    if (replies.size() == 0) {
      return true;
    }
    ByteBuffer bytes = replies.toSend();
    metrics.bytesWritten.add(wire.write(io, bytes));
    if (bytes.hasRemaining()) {
      hold(replies, bytes);
      began = io.now;
      moved = io.now;
    }
    replies.clear();
    return unsent == null;
  }

  /**
   * Holds what the client does not accept: in the buffer where it is, or, if that is the thread's
   * own or too large for the limit, in an array of its size.
   */
  private void hold(ReplyBuffer replies, ByteBuffer rest) throws IOException {
    length = rest.remaining();
    if (replies.isLarge() && all.tryAdd(rest.capacity())) {
      charged = rest.capacity();
      unsent = replies.handOver();
      return;
    }
    ByteBuffer copy = ByteBuffer.allocate(length);
    copy.put(rest);
    copy.flip();
    if (!all.tryAdd(length)) {
      metrics.stalledClosed.increment();
      throw new IOException("it takes no replies, and " + all.get() + " bytes wait already");
    }
    charged = length;
    unsent = copy;
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
    ByteBuffer rest = unsent;
    if (rest != null) {
      int sent = wire.write(io, rest);
      metrics.bytesWritten.add(sent);
      if (sent > 0) {
        moved = io.now;
      }
      if (rest.hasRemaining()) {
        return false;
      }
      drop();
    }
    return wire.flush(io);
  }

  /** Discards what is unsent. */
  public void drop() {
    if (unsent != null) {
      all.remove(charged);
      large.giveBack(unsent);
      unsent = null;
    }
  }
}
