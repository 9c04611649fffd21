package dev.ringside.thrift;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The JDK's unbounded queue in the ring's place; the server's own workers, woken as ever. The bound
 * that the server asks for is a counter beside it: two more atomic steps per entry, besides the
 * node that each entry costs.
 */
final class TransferQueueHandOff<T> extends HandOff<T> {
  private final LinkedTransferQueue<T> queue = new LinkedTransferQueue<>();
  private final AtomicInteger held = new AtomicInteger();
  private final int size;

  /** In place of that server's ring. */
  TransferQueueHandOff(TDisruptorServer server) {
    this(server.options().ringSize);
  }

  TransferQueueHandOff(int size) {
    this.size = size;
  }

  @Override
  boolean offer(T entry) {
    // Never above the size, not even for a moment: who is refused for no reason is not woken
    // either.
    int before;
    do {
      before = held.get();
      if (before >= size) {
        return false;
      }
    } while (!held.compareAndSet(before, before + 1));
    return queue.offer(entry);
  }

  @Override
  T poll() {
    T entry = queue.poll();
    if (entry != null) {
      held.getAndDecrement();
    }
    return entry;
  }

  @Override
  boolean isEmpty() {
    return queue.isEmpty();
  }

  @Override
  boolean hasRoom() {
    return held.get() < size;
  }

  @Override
  int occupancy() {
    return held.get();
  }

  @Override
  int size() {
    return size;
  }
}
