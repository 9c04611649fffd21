package dev.ringside.http.handoff;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.IgnoreExceptionHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.WorkHandler;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import java.util.Collections;

/**
 * A ring that selectors publish into and workers take from in turn. Workers that have nothing to do
 * wait on a lock, all of whom each publication wakes; a worker that is slow keeps its place in the
 * ring, so that the ring is full once it has gone round to that.
 */
final class DisruptorHandOff implements HandOff {
  private final Disruptor<Place> disruptor;
  private final RingBuffer<Place> ring;

  /** A place in the ring. */
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

  /** The next power of two, which is what a ring can be. */
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
