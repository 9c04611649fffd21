package dev.ringside.udp.echo;

import java.util.concurrent.atomic.LongAdder;

/**
 * What became of a server's datagrams: received = replied + too long + dropped + unsent, once none
 * is under way. What the kernel dropped before that is not among them, see {@link KernelDrops}.
 * Counting costs an uncontended addition.
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

  /** One found the ring, the queue or the pool full. */
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
