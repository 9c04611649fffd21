package dev.ringside.trip.store;

import dev.ringside.trip.stream.Point;
import dev.ringside.trip.stream.TripSum;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * The points that wait for the cache, and the pool that takes them there. All points of a trip go
 * through one lane, in the order in which they came; lanes go on side by side. A pool that took
 * point by point would let two of one trip change places.
 */
final class Lanes {
  /** So few trips share a lane that hardly ever one waits for another's without need. */
  private static final int LANES_PER_WORKER = 64;

  /** A lane lets others go on after so many points. */
  private static final int TURN = 64;

  private static final long PATIENCE_SECONDS = 10;
  private static final long KEEP_ALIVE_SECONDS = 60;

  private final ForkJoinPool pool;
  private final List<Lane> lanes = new ArrayList<>();
  private final Work work;
  private final LongAdder taken = new LongAdder();
  private final LongAdder done = new LongAdder();

  /** What is done with a point. */
  interface Work {
    /**
     * On a thread of the pool; throws nothing.
     *
     * @return whether all points of its packet are in the cache now
     */
    boolean take(PendingPacket packet, Point point);

    /** They are, and count as done: whoever hears of it finds them counted. */
    void complete(PendingPacket packet);
  }

  /** With so many threads. */
  Lanes(int workers, Work work) {
    this.work = work;
    // In the order in which lanes asked for their turn: they are no parts of one another. And never
    // a thread more, which the pool would start where a cache tells it of a wait: how many wait for
    // it side by side is the setting's to say, for every cache alike.
    pool =
        new ForkJoinPool(
            workers,
            ForkJoinPool.defaultForkJoinWorkerThreadFactory,
            null,
            true,
            workers,
            workers,
            0,
            saturated -> true,
            KEEP_ALIVE_SECONDS,
            TimeUnit.SECONDS);
    for (int i = 0; i < workers * LANES_PER_WORKER; i++) {
      lanes.add(new Lane());
    }
  }

  /** Puts a point behind those of its trip that came before. */
  void add(PendingPacket packet, Point point) {
    taken.increment();
    // Their number alone tells trips apart; it may not be spread.
    int lane = (int) Long.remainderUnsigned(TripSum.mix(point.trip()), lanes.size());
    lanes.get(lane).add(new Waiting(packet, point));
  }

  private record Waiting(PendingPacket packet, Point point) {}

  /** Points in their order, which at most one thread takes at a time. */
  private final class Lane implements Runnable {
    private final Queue<Waiting> points = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    void add(Waiting point) {
      points.add(point);
      schedule();
    }

    private void schedule() {
      if (scheduled.compareAndSet(false, true)) {
        pool.execute(this);
      }
    }

    @Override
    public void run() {
      int turn = 0;
      for (Waiting next = points.poll(); next != null; next = points.poll()) {
        boolean complete = work.take(next.packet(), next.point());
        done.increment();
        if (complete) {
          work.complete(next.packet());
        }
        turn++;
        if (turn == TURN) {
          break;
        }
      }
      scheduled.set(false);
      // Whoever added a point before that saw the lane scheduled.
      if (!points.isEmpty()) {
        schedule();
      }
    }
  }

  /** Points that came so far. */
  long taken() {
    return taken.sum();
  }

  /** Points that the cache has, or that failed. */
  long done() {
    return done.sum();
  }

  /** Points that wait for the cache, or are on their way into it. */
  long waiting() {
    long before = done.sum(); // first, so that the difference is never less than it was
    return Math.max(0, taken.sum() - before);
  }

  /** Lanes that wait for a thread. */
  long waitingLanes() {
    return pool.getQueuedTaskCount() + pool.getQueuedSubmissionCount();
  }

  /** What it is made of: the proof of what runs. */
  ForkJoinPool pool() {
    return pool;
  }

  /**
   * Lets what waits come to its end.
   *
   * @return whether no thread is at work any more
   */
  boolean close() {
    pool.awaitQuiescence(PATIENCE_SECONDS, TimeUnit.SECONDS);
    pool.shutdown();
    try {
      return pool.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
