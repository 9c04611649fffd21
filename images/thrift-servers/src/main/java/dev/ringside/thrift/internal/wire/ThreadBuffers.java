package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the buffers of one thread, lent to the connection that it serves. Idle connections hold
 * none.
 */
public class ThreadBuffers {
  /** What one read brings in. Between reads, what one write sends of an array. */
  public final ByteBuffer netIn;

  /** The same bytes where protocols can read them. */
  public final byte[] in;

  public final ReplyBuffer replies;
  public final MessageHeader header = new MessageHeader();

  /** The largest number of bytes that the next read may bring. */
  public int readLimit = Integer.MAX_VALUE;

  /** System.nanoTime() when this thread last read the clock. */
  public long now = System.nanoTime();

  private @Nullable ByteBuffer tlsIn;
  private @Nullable ByteBuffer tlsOut;

  /**
   * Creates a thread's buffers.
   *
   * @param bytes size of each of the three
   * @param large for replies that are larger
   */
  public ThreadBuffers(int bytes, LargeBuffers large) {
    netIn = ByteBuffer.allocateDirect(bytes);
    in = new byte[bytes];
    replies = new ReplyBuffer(bytes, large);
  }

  /** Returns the buffer for encrypted input, of at least two records; for TLS only. */
  public ByteBuffer tlsIn(int packetBytes) {
    if (tlsIn == null || tlsIn.capacity() < 2 * packetBytes) {
      tlsIn = ByteBuffer.allocateDirect(Math.max(64 << 10, 2 * packetBytes));
    }
    return tlsIn;
  }

  /** Returns the cleared buffer for one encrypted output record; for TLS only. */
  public ByteBuffer tlsOut(int packetBytes) {
    if (tlsOut == null || tlsOut.capacity() < packetBytes) {
      tlsOut = ByteBuffer.allocateDirect(packetBytes);
    }
    tlsOut.clear();
    return tlsOut;
  }
}
