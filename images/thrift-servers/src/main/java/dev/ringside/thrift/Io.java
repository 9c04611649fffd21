package dev.ringside.thrift;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

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

  private final IntFunction<ByteBuffer> allocate;
  private ByteBuffer tlsIn;
  private ByteBuffer tlsOut;

  Io(int bytes) {
    this(bytes, bytes, ByteBuffer::allocateDirect);
  }

  private Io(int inBytes, int outBytes, IntFunction<ByteBuffer> allocate) {
    this.allocate = allocate;
    this.netIn = allocate.apply(inBytes);
    this.in = new byte[inBytes];
    this.netOut = allocate.apply(outBytes);
    this.replies = new ReplyBuffer(inBytes / 4);
  }

  /**
   * Small ones, for one of thousands of threads: they read only what is pipelined, and the memory
   * outside of the heap that a system call needs is their carrier's.
   *
   * @param tls whether a whole record must find room
   */
  static Io small(boolean tls) {
    return new Io(tls ? 32 << 10 : 4 << 10, 8 << 10, ByteBuffer::allocate);
  }

  void progressed() {
    progress.lazySet(progress.get() + 1);
  }

  /** For encrypted bytes that come in, two records at least; only TLS needs it. */
  ByteBuffer tlsIn(int packetBytes) {
    if (tlsIn == null || tlsIn.capacity() < 2 * packetBytes) {
      tlsIn = allocate.apply(Math.max(64 << 10, 2 * packetBytes));
    }
    return tlsIn;
  }

  /** For one encrypted record that goes out, cleared; only TLS needs it. */
  ByteBuffer tlsOut(int packetBytes) {
    if (tlsOut == null || tlsOut.capacity() < packetBytes) {
      tlsOut = allocate.apply(packetBytes);
    }
    tlsOut.clear();
    return tlsOut;
  }
}
