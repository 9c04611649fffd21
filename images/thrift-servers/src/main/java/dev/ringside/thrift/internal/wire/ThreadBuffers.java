package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the buffers of one thread, lent to the connection that it serves. Idle connections hold
 * none.
 */
public class ThreadBuffers {
  /** What one read takes from a socket. Between reads, what one write sends. */
  public final ByteBuffer net;

  /** What one read brings where protocols can read it. */
  public final byte[] in;

  public final ReplyBuffer replies;
  public final MessageHeader header = new MessageHeader();

  /** What the last read has brought: {@link #net}, or, decrypted, {@link #in}. */
  public ByteBuffer received;

  /** System.nanoTime() when this thread last read the clock. */
  public long now = System.nanoTime();

  private final ByteBuffer clear;
  private @Nullable ByteBuffer tlsOut;

  /**
   * Creates a thread's buffers, one of them in direct memory.
   *
   * @param bytes size of each of the three
   * @param directPieces how many further ones for replies may be in direct memory, too
   */
  public ThreadBuffers(int bytes, int directPieces) {
    net = ByteBuffer.allocateDirect(bytes);
    in = new byte[bytes];
    replies = new ReplyBuffer(bytes, directPieces);
    clear = ByteBuffer.wrap(in);
    received = net;
  }

  /** Returns {@link #in} as a cleared buffer; for TLS only. */
  public ByteBuffer clear() {
    clear.clear();
    return clear;
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
