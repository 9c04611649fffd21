package dev.ringside.thrift;

import org.jctools.queues.MpmcArrayQueue;

/** Uses JCTools' bounded queue instead of the ring. The server wakes its own workers as usual. */
final class JcToolsHandOff<T> extends HandOff<T> {
  private final MpmcArrayQueue<T> queue;

  /** Creates the hand-off that replaces a server's ring. */
  JcToolsHandOff(TDisruptorServer server) {
    this(server.options().ringSize);
  }

  /**
   * Creates a hand-off of a given size.
   *
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
