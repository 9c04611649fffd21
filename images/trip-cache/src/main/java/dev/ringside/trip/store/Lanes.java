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
 * Queues points for the cache, and runs the pool that stores them. All points of a trip go through
 * one lane in the order of their arrival; lanes run in parallel. A pool with one task per point
 * could swap two points of one trip.
 */
final class Lanes {
  /** With this many lanes, a trip rarely waits for an unrelated trip in its lane. */
  private static final int LANES_PER_WORKER = 64;

  /** Points after which a lane yields its thread to other lanes. */
  private static final int TURN = 64;

  private static final long PATIENCE_SECONDS = 10;
  private static final long KEEP_ALIVE_SECONDS = 60;

  private final ForkJoinPool pool;
  private final List<Lane> lanes = new ArrayList<>();
  private final Work work;
  private final LongAdder taken = new LongAdder();
  private final LongAdder done = new LongAdder();

  /** Processes points. */
  interface Work {
    /**
     * Processes a point on a thread of the pool. Throws nothing.
     *
     * @return whether all points of its packet are in the cache now
     */
    boolean take(PendingPacket packet, Point point);

    /**
     * Completes a packet whose points are all in the cache. They are counted as done before this
     * call, so a client that gets its acknowledgement finds them counted.
     */
    void complete(PendingPacket packet);
  }

  /**
   * Creates lanes and their pool.
   *
   * @param workers number of threads
   */
  Lanes(int workers, Work work) {
    this.work = work;
    // First in, first out, because lanes are not subtasks of one another. The pool has exactly this
    // number of threads: it would otherwise start more when a cache reports a blocking wait, and
    // the setting must mean the same for every cache.
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

  /** Adds a point after the earlier points of its trip. */
  void add(PendingPacket packet, Point point) {
    taken.increment();
    // Trip numbers may be sequential, so they are mixed first.
    int lane = (int) Long.remainderUnsigned(TripSum.mix(point.trip()), lanes.size());
    lanes.get(lane).add(new Waiting(packet, point));
  }

  private record Waiting(PendingPacket packet, Point point) {}

  /** Holds points in their order. At most one thread processes them at a time. */
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
      // A thread that added a point before this line saw the lane as scheduled.
      if (!points.isEmpty()) {
        schedule();
      }
    }
  }

  /** Returns the number of points received. */
  long taken() {
    return taken.sum();
  }

  /** Returns the number of points that are in the cache or failed. */
  long done() {
    return done.sum();
  }

  /** Returns the number of points that wait for the cache or are being stored. */
  long waiting() {
    long before = done.sum(); // read first, so that the difference is never too small
    return Math.max(0, taken.sum() - before);
  }

  /** Returns the number of lanes that wait for a thread. */
  long waitingLanes() {
    return pool.getQueuedTaskCount() + pool.getQueuedSubmissionCount();
  }

  /** Returns the pool, whose class the proof names. */
  ForkJoinPool pool() {
    return pool;
  }

  /**
   * Waits for queued points, and shuts the pool down.
   *
   * @return whether all threads have ended
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
