package dev.ringside.thrift;

import org.jctools.queues.MpmcArrayQueue;

/** JCTools' bounded queue in the ring's place; the server's own workers, woken as ever. */
final class JcToolsHandOff<T> extends HandOff<T> {
  private final MpmcArrayQueue<T> queue;

  /** In place of that server's ring. */
  JcToolsHandOff(TDisruptorServer server) {
    this(server.options().ringSize);
  }

  /**
   * @param size entries, a power of two
   */
  JcToolsHandOff(int size) {
    queue = new MpmcArrayQueue<>(size);
  }

  @Override
  boolean offer(T entry) {
    return queue.offer(entry);
  }

  @Override
  T poll() {
    return queue.poll();
  }

  @Override
  boolean isEmpty() {
    return queue.isEmpty();
  }

  @Override
  boolean hasRoom() {
    return queue.size() < queue.capacity();
  }

  @Override
  int occupancy() {
    return queue.size();
  }

  @Override
  int size() {
    return queue.capacity();
  }
}
