package dev.ringside.thrift.internal.work;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.TimeoutException;
import com.lmax.disruptor.WaitStrategy;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Passes connections from event loops to workers, if their next request must not run where it was
 * read: the Disruptor's ring buffer. Any number of threads may publish and take; each entry is
 * taken once, in order. Only tests extend it.
 *
 * <p>The Disruptor's own worker pool claims an entry before it exists, and so must wake every
 * worker for each publish. Here a taker claims only existing entries, and the publisher decides
 * which thread to wake.
 */
public class HandOffRing<T> {
  /** Holds an entry of the ring; empty after it was taken. */
  private static final class Slot<T> extends AtomicReference<@Nullable T> {
    private static final long serialVersionUID = 1;
  }

  /**
   * Never waits inside the ring. Asked for one entry, it reports no further ones, because the
   * barrier reads every entry that is reported.
   */
  private static final class NoWait implements WaitStrategy {
    @Override
    public long waitFor(
        long sequence, Sequence cursor, Sequence dependentSequence, SequenceBarrier barrier) {
      return Math.min(sequence, dependentSequence.get());
    }

    @Override
    public void signalAllWhenBlocking() {
      // nobody waits
    }
  }

  private final RingBuffer<Slot<T>> ring;
  private final SequenceBarrier published;
  private final Sequence taken = new Sequence();

  /**
   * Creates an empty ring.
   *
   * @param size number of entries, a power of two
   */
  public HandOffRing(int size) {
    ring = RingBuffer.createMultiProducer(Slot<T>::new, size, new NoWait());
    published = ring.newBarrier();
    ring.addGatingSequences(taken);
  }

  /** Publishes an entry; returns false if there is no room. */
  public boolean offer(T entry) {
    long sequence;
    try {
      sequence = ring.tryNext();
    } catch (InsufficientCapacityException e) {
      return false;
    }
    ring.get(sequence).lazySet(entry);
    ring.publish(sequence);
    return true;
  }

  /**
   * Takes the oldest entry; returns null if there is none. The entry must not be offered again
   * before this returns.
   */
  public @Nullable T poll() {
    while (true) {
      long next = taken.get() + 1;
      if (highestPublished(next) < next) {
        return null;
      }
      // The entry cannot be overwritten before "taken" moves past it, so what is read here is valid
      // if the claim below succeeds.
      Slot<T> slot = ring.get(next);
      T entry = slot.get();
      if (taken.compareAndSet(next - 1, next)) {
        // A publisher may have reused the slot, but with another entry: this thread owns this one,
        // so no other thread can offer it. Clearing the slot lets the garbage collector free the
        // entry.
        slot.compareAndSet(entry, null);
        return entry;
      }
    }
  }

  /** Reports whether no entry waits to be taken. */
  public boolean isEmpty() {
    long next = taken.get() + 1;
    return highestPublished(next) < next;
  }

  /** Reports whether an entry could be published. */
  public boolean hasRoom() {
    return ring.hasAvailableCapacity(1);
  }

  /** Returns how many entries wait to be taken. */
  public int occupancy() {
    return (int) Math.max(0, ring.getCursor() - taken.get());
  }

  /** Returns how many entries it can hold. */
  public int size() {
    return ring.getBufferSize();
  }

  private long highestPublished(long next) {
    try {
      return published.waitFor(next);
    } catch (AlertException | InterruptedException | TimeoutException e) {
      throw new IllegalStateException("a barrier that never waits was interrupted", e);
    }
  }
}
