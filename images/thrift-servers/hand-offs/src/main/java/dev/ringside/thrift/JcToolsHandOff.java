package dev.ringside.thrift;

import dev.ringside.thrift.internal.loop.ServerCore;
import dev.ringside.thrift.internal.work.HandOff;
import org.jctools.queues.MpmcArrayQueue;

/** Uses JCTools' bounded queue instead of the ring. The server wakes its own workers as usual. */
final class JcToolsHandOff<T> extends HandOff<T> {
  private final MpmcArrayQueue<T> queue;

  /** Creates the hand-off that replaces a server's ring. */
  JcToolsHandOff(ServerCore server) {
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
  public boolean offer(T entry) {
    return queue.offer(entry);
  }

  @Override
  public T poll() {
    return queue.poll();
  }

  @Override
  public boolean isEmpty() {
    return queue.isEmpty();
  }

  @Override
  public boolean hasRoom() {
    return queue.size() < queue.capacity();
  }

  @Override
  public int occupancy() {
    return queue.size();
  }

  @Override
  public int size() {
    return queue.capacity();
  }
}
