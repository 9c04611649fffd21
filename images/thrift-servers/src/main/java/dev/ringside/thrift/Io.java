package dev.ringside.thrift;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** The buffers of one thread, lent to the connection that it serves. Idle connections hold none. */
final class Io {
  /** What one read brings in. */
  final ByteBuffer netIn;

  /** The same bytes where protocols can read them. */
  final byte[] in;

  /** What one write sends. */
  final ByteBuffer netOut;

  final ReplyBuffer replies;
  final MessageHeader header = new MessageHeader();

  /** Counts what this thread has done, for the watchdog to see whether it gets on. */
  final AtomicLong progress = new AtomicLong();

  /** The method whose request this thread runs inline, or null; for the watchdog. */
  final AtomicReference<MethodHabits> running = new AtomicReference<>();

  /** How many bytes the next read should bring at most. */
  int readLimit = Integer.MAX_VALUE;

  /** System.nanoTime() of the last time that this thread looked. */
  long now = System.nanoTime();

  /** The thread itself, for the watchdog. */
  volatile KernelThread kernelThread;

  /** The thread's last leadership, for it to find out that it was deposed. */
  Leadership leadership;

  private ByteBuffer tlsIn;
  private ByteBuffer tlsOut;

  Io(int bytes) {
    this.netIn = ByteBuffer.allocateDirect(bytes);
    this.in = new byte[bytes];
    this.netOut = ByteBuffer.allocateDirect(bytes);
    this.replies = new ReplyBuffer(bytes / 4);
  }

  void progressed() {
    progress.lazySet(progress.get() + 1);
  }

  /** For encrypted bytes that come in, two records at least; only TLS needs it. */
  ByteBuffer tlsIn(int packetBytes) {
    if (tlsIn == null || tlsIn.capacity() < 2 * packetBytes) {
      tlsIn = ByteBuffer.allocateDirect(Math.max(64 << 10, 2 * packetBytes));
    }
    return tlsIn;
  }

  /** For one encrypted record that goes out, cleared; only TLS needs it. */
  ByteBuffer tlsOut(int packetBytes) {
    if (tlsOut == null || tlsOut.capacity() < packetBytes) {
      tlsOut = ByteBuffer.allocateDirect(packetBytes);
    }
    tlsOut.clear();
    return tlsOut;
  }
}
