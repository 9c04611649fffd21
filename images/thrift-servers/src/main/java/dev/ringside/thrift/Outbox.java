package dev.ringside.thrift;

import java.io.IOException;
import java.util.Arrays;

/**
 * The way of one connection's replies to its client, and those that the client has not taken yet.
 * For the thread that serves the connection.
 */
final class Outbox {
  private final Wire wire;
  private final Metrics metrics;
  private final UnsentBytes all;

  /** Replied and not sent: {@code unsent[from, unsent.length)}. Null if there is nothing. */
  private byte[] unsent;

  private int from;

  /** System.nanoTime() when the client did not take what is unsent. */
  private long began;

  /** System.nanoTime() when it last took any of it. */
  private long moved;

  Outbox(Wire wire, Metrics metrics, UnsentBytes all) {
    this.wire = wire;
    this.metrics = metrics;
    this.all = all;
  }

  boolean isEmpty() {
    return unsent == null && !wire.hasUnsent();
  }

  /** System.nanoTime() when the client last took some of what it had left; 0 for never. */
  long moved() {
    return moved;
  }

  /** Whether the client takes too long over what is unsent. */
  boolean isLate(long now, long timeout) {
    return unsent != null && Pace.isLate(now, began, unsent.length, timeout);
  }

  /** Sends what the thread's reply buffer has; false if the client does not take all of it now. */
  boolean send(Io io) throws IOException {
    ReplyBuffer replies = io.replies;
    int size = replies.size();
    if (size == 0) {
      return true;
    }
    int sent = wire.write(io, replies.bytes(), 0, size);
    metrics.bytesWritten.add(sent);
    if (sent < size) {
      if (!all.tryAdd(size - sent)) {
        metrics.stalledClosed.increment();
        throw new IOException("it takes no replies, and " + all.get() + " bytes wait already");
      }
      unsent = Arrays.copyOfRange(replies.bytes(), sent, size);
      from = 0;
      began = io.now;
      moved = io.now;
    }
    replies.clear();
    return unsent == null;
  }

  /** Sends what a thread has published of its replies, on its behalf; tells how many bytes went. */
  int sendFor(ReplyBuffer replies, Io own) throws IOException {
    int sent = wire.write(own, replies.bytes(), 0, replies.sendable());
    metrics.bytesWritten.add(sent);
    return sent;
  }

  /** Sends what is unsent; false if the client still does not take all of it. */
  boolean sendUnsent(Io io) throws IOException {
    if (unsent != null) {
      int sent = wire.write(io, unsent, from, unsent.length);
      metrics.bytesWritten.add(sent);
      from += sent;
      if (sent > 0) {
        moved = io.now;
      }
      if (from < unsent.length) {
        return false;
      }
      drop();
    }
    return wire.flush(io);
  }

  /** Forgets what is unsent. */
  void drop() {
    if (unsent != null) {
      all.remove(unsent.length);
      unsent = null;
    }
  }
}
