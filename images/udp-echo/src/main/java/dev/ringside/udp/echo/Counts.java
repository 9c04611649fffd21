package dev.ringside.udp.echo;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts a server's datagrams. When none is in flight, received = replied + too long + dropped +
 * unsent. Does not include drops in the kernel, see {@link KernelDrops}. Counting costs an
 * uncontended addition.
 */
final class Counts {
  private final LongAdder received = new LongAdder();
  private final LongAdder replied = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder tooLong = new LongAdder();
  private final LongAdder unsent = new LongAdder();

  void received() {
    received.increment();
  }

  void replied() {
    replied.increment();
  }

  /** Counts a datagram that found the ring, the queue or the pool full. */
  void dropped() {
    dropped.increment();
  }

  void tooLong() {
    tooLong.increment();
  }

  void unsent() {
    unsent.increment();
  }

  long receivedTotal() {
    return received.sum();
  }

  long repliedTotal() {
    return replied.sum();
  }

  long droppedTotal() {
    return dropped.sum();
  }

  long tooLongTotal() {
    return tooLong.sum();
  }

  long unsentTotal() {
    return unsent.sum();
  }

  @Override
  public String toString() {
    return String.format(
        "%d received, %d replied, %d dropped, %d too long, %d unsent",
        receivedTotal(), repliedTotal(), droppedTotal(), tooLongTotal(), unsentTotal());
  }
}
