package dev.ringside.udp.echo;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The published design: a receiving thread puts datagrams into an "in" ring, one handler thread
 * takes them, writes its answers into an "out" ring, and one thread sends those. Rings of slots
 * with one producer and one consumer each: no lock and no allocation per datagram. What it costs
 * when there is nothing to do is the wait strategy's to say.
 */
final class DisruptorEcho implements Variant, HandOff {
  private static final long NONE = -1;

  private final Port port;
  private final Handler handler;
  private final int slots;
  private final WaitStrategy inWaits;
  private final WaitStrategy outWaits;
  private final Counts counts;
  private Disruptor<Datagram> in;
  private Disruptor<Datagram> out;
  private volatile boolean stopping;

  /**
   * Not started.
   *
   * @param slots of each ring; a power of two
   * @param waiting makes the wait strategy of each ring
   */
  DisruptorEcho(
      Port port, Handler handler, int slots, Supplier<WaitStrategy> waiting, Counts counts) {
    this.port = port;
    this.handler = handler;
    this.slots = slots;
    this.counts = counts;
    inWaits = waiting.get();
    outWaits = waiting.get();
  }

  @Override
  public void start(Workers workers) {
    out = ring(workers, outWaits);
    out.handleEventsWith((reply, sequence, endOfBatch) -> port.send(reply));
    in = ring(workers, inWaits);
    in.handleEventsWith((request, sequence, endOfBatch) -> answer(request));
    out.start();
    in.start();
    workers.start(new Acceptor(port, this, counts));
  }

  private Disruptor<Datagram> ring(Workers workers, WaitStrategy waits) {
    return new Disruptor<>(Datagram::new, slots, workers::thread, ProducerType.SINGLE, waits);
  }

  @Override
  public boolean offer(Datagram datagram) {
    RingBuffer<Datagram> ring = in.getRingBuffer();
    long sequence;
    try {
      sequence = ring.tryNext();
    } catch (InsufficientCapacityException e) {
      return false;
    }
    ring.get(sequence).copy(datagram);
    ring.publish(sequence);
    return true;
  }

  /** Waits while the out ring is full: then the in ring fills, and what is too much is dropped. */
  private void answer(Datagram request) {
    RingBuffer<Datagram> ring = out.getRingBuffer();
    long sequence = claim(ring);
    if (sequence == NONE) {
      return;
    }
    Datagram reply = ring.get(sequence);
    reply.copy(request);
    handler.handle(reply.text());
    ring.publish(sequence);
  }

  /** As the ring's own next() waits, but not for a sender that has ended. */
  private long claim(RingBuffer<Datagram> ring) {
    while (!stopping) {
      try {
        return ring.tryNext();
      } catch (InsufficientCapacityException e) {
        LockSupport.parkNanos(1);
      }
    }
    return NONE;
  }

  @Override
  public void stop() {
    stopping = true;
    in.halt();
    out.halt();
  }

  /** What tells the four from each other, and from all others. */
  @Override
  public Class<?> proof() {
    return inWaits.getClass();
  }
}
