package dev.ringside.http.handoff;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.IgnoreExceptionHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.WorkHandler;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import java.util.Collections;

/**
 * Hands requests over through a ring: selectors publish, and workers claim entries in turn.
 *
 * <p>Idle workers wait on a lock; each publication wakes all of them. A slow worker keeps its entry
 * in the ring. The ring is full when the publishers have gone round to that entry.
 */
final class DisruptorHandOff implements HandOff {
  private final Disruptor<Place> disruptor;
  private final RingBuffer<Place> ring;

  /** Holds one entry of the ring. */
  private static final class Place {
    private Task task;
  }

  DisruptorHandOff(int workers, int capacity) {
    disruptor =
        new Disruptor<>(
            Place::new,
            sizeFor(capacity),
            new WorkerThreads(HandOffs.DISRUPTOR),
            ProducerType.MULTI,
            new BlockingWaitStrategy());
    disruptor.setDefaultExceptionHandler(new IgnoreExceptionHandler());
    disruptor.handleEventsWithWorkerPool(
        Collections.nCopies(workers, (WorkHandler<Place>) DisruptorHandOff::take)
            .toArray(DisruptorHandOff::handlers));
    ring = disruptor.start();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static WorkHandler<Place>[] handlers(int count) {
    return new WorkHandler[count];
  }

  /** Returns the next power of two, because a ring's size must be one. */
  static int sizeFor(int capacity) {
    return Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
  }

  private static void take(Place place) {
    Task task = place.task;
    place.task = null;
    task.run();
  }

  @Override
  public void give(Task task) {
    if (!ring.tryPublishEvent((place, sequence, given) -> place.task = given, task)) {
      task.refuse();
    }
  }

  @Override
  public long waiting() {
    return ring.getBufferSize() - ring.remainingCapacity();
  }

  @Override
  public Object essence() {
    return ring;
  }

  @Override
  public void close() {
    disruptor.halt();
  }
}
