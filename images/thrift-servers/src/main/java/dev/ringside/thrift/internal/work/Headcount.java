package dev.ringside.thrift.internal.work;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Packs the number of threads and the numbers in each state into one word, so that they are read
 * consistently. It is changed under the {@link Roster}'s lock and read without.
 */
public final class Headcount {
  /** The largest number of threads that can be counted; a process gets fewer from its system. */
  public static final int MOST = 0x7fff;

  private static final int BITS = 16;

  private final AtomicLong word = new AtomicLong();

  public long get() {
    return word.get();
  }

  /** Reads it after a full fence: later changes see everything that was written before. */
  public long getFenced() {
    return word.getAndAdd(0);
  }

  /** Records that a thread came (1) or left (-1), in a state. */
  public void thread(int change, WorkerState state) {
    word.getAndAdd(change * (1 + one(state)));
  }

  /** Records that a thread changed its state. A full fence. */
  public void move(WorkerState from, WorkerState to) {
    word.getAndAdd(one(to) - one(from));
  }

  public static int threads(long word) {
    return (int) word & MOST;
  }

  public static int parked(long word) {
    return in(WorkerState.PARKED, word);
  }

  public static int lingering(long word) {
    return in(WorkerState.LINGERING, word);
  }

  private static int in(WorkerState state, long word) {
    return (int) (word >>> shift(state)) & MOST;
  }

  /** Returns the unit of a state's count. Running threads are not counted: they are the rest. */
  private static long one(WorkerState state) {
    return state == WorkerState.RUNNING ? 0 : 1L << shift(state);
  }

  private static int shift(WorkerState state) {
    // PARKED and LINGERING are 1 and 2; the number of all threads is in the lowest bits.
    return BITS * state.ordinal();
  }
}
