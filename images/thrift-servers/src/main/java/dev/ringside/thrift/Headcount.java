package dev.ringside.thrift;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many threads there are and how many of them are in each state, packed into one word: what is
 * read together was true together. It is changed under the {@link Roster}'s lock and read without.
 */
final class Headcount {
  /** Threads that can be counted, which is more than one process gets from its system. */
  static final int MOST = 0x7fff;

  private static final int BITS = 16;

  private final AtomicLong word = new AtomicLong();

  long get() {
    return word.get();
  }

  /** Reads it behind a full fence: who changes it from now on sees all that was written before. */
  long getFenced() {
    return word.getAndAdd(0);
  }

  /** A thread has come (1) or gone (-1), in that state. */
  void thread(int change, WorkerState state) {
    word.getAndAdd(change * (1 + one(state)));
  }

  /** A thread has changed its state. A full fence. */
  void move(WorkerState from, WorkerState to) {
    word.getAndAdd(one(to) - one(from));
  }

  static int threads(long word) {
    return (int) word & MOST;
  }

  static int searching(long word) {
    return in(WorkerState.SEARCHING, word);
  }

  static int parked(long word) {
    return in(WorkerState.PARKED, word);
  }

  static int lingering(long word) {
    return in(WorkerState.LINGERING, word);
  }

  private static int in(WorkerState state, long word) {
    return (int) (word >>> shift(state)) & MOST;
  }

  /** Those that run are not counted: they are the rest. */
  private static long one(WorkerState state) {
    return state == WorkerState.RUNNING ? 0 : 1L << shift(state);
  }

  private static int shift(WorkerState state) {
    // SEARCHING, PARKED, LINGERING are 1, 2, 3; the number of all threads is in the lowest bits.
    return BITS * state.ordinal();
  }
}
