package dev.ringside.thrift;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Holds the buffers of one thread, lent to the connection that it serves. Idle connections hold
 * none.
 */
final class Io {
  /** What one read brings in. */
  final ByteBuffer netIn;

  /** The same bytes where protocols can read them. */
  final byte[] in;

  /** What one write sends. */
  final ByteBuffer netOut;

  final ReplyBuffer replies;
  final MessageHeader header = new MessageHeader();

  /** Counts what this thread has done, so that the watchdog sees progress. */
  final AtomicLong progress = new AtomicLong();

  /** The method whose request this thread runs inline, or null; for the watchdog. */
  final AtomicReference<MethodHabits> running = new AtomicReference<>();

  /** The largest number of bytes that the next read may bring. */
  int readLimit = Integer.MAX_VALUE;

  /** System.nanoTime() when this thread last read the clock. */
  long now = System.nanoTime();

  /** The thread itself, for the watchdog. */
  volatile KernelThread kernelThread;

  /** The thread's last leadership, which shows it that it was deposed. */
  Leadership leadership;

  private ByteBuffer tlsIn;
  private ByteBuffer tlsOut;

  Io(int bytes) {
    netIn = ByteBuffer.allocateDirect(bytes);
    in = new byte[bytes];
    netOut = ByteBuffer.allocateDirect(bytes);
    replies = new ReplyBuffer(bytes / 4);
  }

  void progressed() {
    progress.lazySet(progress.get() + 1);
  }

  /** Returns the buffer for encrypted input, of at least two records; for TLS only. */
  ByteBuffer tlsIn(int packetBytes) {
    if (tlsIn == null || tlsIn.capacity() < 2 * packetBytes) {
      tlsIn = ByteBuffer.allocateDirect(Math.max(64 << 10, 2 * packetBytes));
    }
    return tlsIn;
  }

  /** Returns the cleared buffer for one encrypted output record; for TLS only. */
  ByteBuffer tlsOut(int packetBytes) {
    if (tlsOut == null || tlsOut.capacity() < packetBytes) {
      tlsOut = ByteBuffer.allocateDirect(packetBytes);
    }
    tlsOut.clear();
    return tlsOut;
  }
}
