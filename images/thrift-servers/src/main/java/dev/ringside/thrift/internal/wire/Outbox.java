package dev.ringside.thrift.internal.wire;

import dev.ringside.thrift.internal.metrics.Metrics;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sends one connection's replies, and holds those that the client has not read yet. For the thread
 * that serves the connection.
 */
public final class Outbox {
  private final Wire wire;
  private final Metrics metrics;
  private final UnsentBytes all;

  /** Replied and not sent: {@code unsent[from, unsent.length)}. Null if there is nothing. */
  private byte @Nullable [] unsent;

  private int from;

  /** System.nanoTime() when the client first did not accept what is unsent. */
  private long began;

  /** System.nanoTime() when it last accepted any of it. */
  private long moved;

  public Outbox(Wire wire, Metrics metrics, UnsentBytes all) {
    this.wire = wire;
    this.metrics = metrics;
    this.all = all;
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
    return unsent != null && Pace.isLate(now, began, unsent.length, timeout);
  }

  /** Sends the thread's reply buffer; returns false if the client does not accept all of it now. */
  public boolean send(ThreadBuffers io) throws IOException {
    ReplyBuffer replies = io.replies;
    int size = replies.size();
    if (size == 0) {
      return true;
    }
    int sent = wire.write(io, replies.bytes(), 0, size);
    metrics.bytesWritten.add(sent);
    if (sent < size) {
      byte[] rest = Arrays.copyOfRange(replies.bytes(), sent, size);
      if (!all.tryAdd(size - sent)) {
        metrics.stalledClosed.increment();
        throw new IOException("it takes no replies, and " + all.get() + " bytes wait already");
      }
      unsent = rest;
      from = 0;
      began = io.now;
      moved = io.now;
    }
    replies.clear();
    return unsent == null;
  }

  /**
   * Sends the replies that a thread has published, on its behalf; returns how many bytes were sent.
   */
  public int sendFor(ReplyBuffer replies, ThreadBuffers own) throws IOException {
    int sent = wire.write(own, replies.bytes(), 0, replies.sendable());
    metrics.bytesWritten.add(sent);
    return sent;
  }

  /** Sends what is unsent; returns false if the client still does not accept all of it. */
  public boolean sendUnsent(ThreadBuffers io) throws IOException {
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

  /** Discards what is unsent. */
  public void drop() {
    if (unsent != null) {
      all.remove(unsent.length);
      unsent = null;
    }
  }
}
