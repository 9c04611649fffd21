package dev.ringside.cassandra;

import java.util.concurrent.locks.LockSupport;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;

/** Writes to another transport and delays each flush. */
final class HeldTransport extends TTransport {
  private final TTransport target;
  private final HeldReplies replies;

  HeldTransport(TTransport target, HeldReplies replies) {
    this.target = target;
    this.replies = replies;
  }

  /**
   * Waits for that number of nanoseconds, or less if the thread is interrupted: its server then
   * stops.
   */
  static void rest(long nanos) {
    long end = System.nanoTime() + nanos;
    long left = nanos;
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = end - System.nanoTime();
    }
  }

  @Override
  public void write(byte[] buffer, int offset, int length) throws TTransportException {
    target.write(buffer, offset, length);
  }

  @Override
  public void flush() throws TTransportException {
    replies.hold();
    target.flush();
  }

  @Override
  public boolean isOpen() {
    return target.isOpen();
  }

  @Override
  public void open() {
    throw new UnsupportedOperationException("it is open as long as what it writes to");
  }

  @Override
  public void close() {
    // The server closes it.
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    throw new UnsupportedOperationException("for writing only");
  }
}
