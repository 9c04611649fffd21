package dev.ringside.thrift.internal.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lends buffers for replies that are larger than a thread's own buffer, to all threads of a server.
 * They are direct, so that a socket takes a reply from where it was written, and are kept for later
 * replies, because Java allocates such memory slowly. Beyond the limit, buffers are arrays.
 * Thread-safe.
 */
public final class LargeBuffers {
  /** Sizes are multiples of this, so that replies of about one size fit in the same buffers. */
  private static final int STEP = 64 << 10;

  private static final int MAX_KEPT = 64;

  /** Never grows: giving a buffer back needs no memory. */
  private final List<ByteBuffer> kept = new ArrayList<>(MAX_KEPT);

  private long limit;
  private long lentBytes;
  private long keptBytes;

  /**
   * Creates the buffers of a server.
   *
   * @param limit of the direct memory that is lent or kept, in bytes
   */
  public LargeBuffers(long limit) {
    this.limit = Math.min(limit, 1 << 30);
  }

  /** Returns an empty buffer of at least that many bytes. */
  public ByteBuffer take(int bytes) {
    ByteBuffer fitting = takeKept(bytes);
    if (fitting != null) {
      return fitting;
    }
    long rounded = ((long) bytes + STEP - 1) / STEP * STEP;
    if (reserve(rounded)) {
      try {
        return ByteBuffer.allocateDirect((int) rounded);
      } catch (OutOfMemoryError e) {
        // The JVM allows less, and collects garbage at each attempt.
        limitToLess(rounded);
      }
    }
    return ByteBuffer.allocate(bytes);
  }

  /** Takes a buffer back. */
  public void giveBack(ByteBuffer buffer) {
    if (buffer.isDirect()) {
      keep(buffer);
    }
  }

  /** Returns the smallest kept buffer that is large enough; of equals, the last used. */
  private synchronized @Nullable ByteBuffer takeKept(int bytes) {
    int best = -1;
    int bestCapacity = Integer.MAX_VALUE;
    for (int i = kept.size() - 1; i >= 0; i--) {
      int capacity = kept.get(i).capacity();
      if (capacity >= bytes && capacity < bestCapacity) {
        best = i;
        bestCapacity = capacity;
      }
    }
    if (best < 0) {
      return null;
    }
    lentBytes += bestCapacity;
    keptBytes -= bestCapacity;
    return kept.remove(best);
  }

  private synchronized boolean reserve(long bytes) {
    if (lentBytes + bytes > limit) {
      return false;
    }
    while (lentBytes + keptBytes + bytes > limit) {
      // It was too small for this reply, and is the one unused for longest.
      keptBytes -= kept.remove(0).capacity();
    }
    lentBytes += bytes;
    return true;
  }

  private synchronized void limitToLess(long bytes) {
    lentBytes -= bytes;
    limit = lentBytes + keptBytes;
  }

  private synchronized void keep(ByteBuffer buffer) {
    lentBytes -= buffer.capacity();
    if (kept.size() < MAX_KEPT) {
      buffer.clear();
      kept.add(buffer);
      keptBytes += buffer.capacity();
    }
  }

  /** Returns the direct memory in use. */
  public synchronized long lentBytes() {
    return lentBytes;
  }

  /** Returns the direct memory that is not in use. */
  public synchronized long keptBytes() {
    return keptBytes;
  }
}
