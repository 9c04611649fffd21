package dev.ringside.udp.echo;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Implements the published design. A receiving thread writes datagrams to an "in" ring. One handler
 * thread reads them and writes answers to an "out" ring. One thread sends those.
 *
 * <p>Each ring has one producer and one consumer: there is no lock and no allocation per datagram.
 * The wait strategy determines the cost at rest.
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
   * Creates the variant without starting it.
   *
   * @param slots of each ring; a power of two
   * @param waiting creates the wait strategy of each ring
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

  /**
   * Waits while the out ring is full. The in ring then fills up, and further datagrams are dropped.
   */
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

  /** Waits as the ring's next() does, but returns if the server stops. */
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

  /** Returns the wait strategy's class, which distinguishes the four Disruptor variants. */
  @Override
  public Class<?> proof() {
    return inWaits.getClass();
  }
}
