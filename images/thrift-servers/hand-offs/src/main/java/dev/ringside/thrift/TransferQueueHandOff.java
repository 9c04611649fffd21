package dev.ringside.thrift;

import dev.ringside.thrift.internal.loop.ServerCore;
import dev.ringside.thrift.internal.work.HandOff;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Uses the JDK's unbounded queue instead of the ring. The server wakes its own workers as usual. A
 * counter limits the entries: it costs two atomic operations per entry, in addition to the queue's
 * node.
 */
final class TransferQueueHandOff<T> extends HandOff<T> {
  private final LinkedTransferQueue<T> queue = new LinkedTransferQueue<>();
  private final AtomicInteger held = new AtomicInteger();
  private final int size;

  /** Creates the hand-off that replaces a server's ring. */
  TransferQueueHandOff(ServerCore server) {
    this(server.options().ringSize);
  }

  TransferQueueHandOff(int size) {
    this.size = size;
  }

  @Override
  public boolean offer(T entry) {
    // The counter never exceeds the size, not even for a moment: a caller that is rejected although
    // there is room would not be woken.
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
  public T poll() {
    T entry = queue.poll();
    if (entry != null) {
      held.getAndDecrement();
    }
    return entry;
  }

  @Override
  public boolean isEmpty() {
    return queue.isEmpty();
  }

  @Override
  public boolean hasRoom() {
    return held.get() < size;
  }

  @Override
  public int occupancy() {
    return held.get();
  }

  @Override
  public int size() {
    return size;
  }
}
