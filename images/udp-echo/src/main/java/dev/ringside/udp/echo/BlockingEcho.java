package dev.ringside.udp.echo;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Hands datagrams from one acceptor thread through a queue to handler threads, which send the
 * answers. Slots come from a pool, so there is no allocation per datagram. Each datagram costs the
 * locks of both queues.
 */
final class BlockingEcho implements Variant, HandOff {
  private final Port port;
  private final Handler handler;
  private final int handlers;
  private final Counts counts;
  private final BlockingQueue<Datagram> free;
  private final BlockingQueue<Datagram> filled;
  // Ends a handler thread; added once for each.
  private final Datagram end = new Datagram();

  BlockingEcho(Port port, Handler handler, int handlers, int slots, Counts counts) {
    this.port = port;
    this.handler = handler;
    this.handlers = handlers;
    this.counts = counts;
    free = new ArrayBlockingQueue<>(slots);
    filled = new ArrayBlockingQueue<>(slots + handlers);
    for (int i = 0; i < slots; i++) {
      free.add(new Datagram());
    }
  }

  @Override
  public void start(Workers workers) {
    for (int i = 0; i < handlers; i++) {
      workers.start(this::answer);
    }
    workers.start(new Acceptor(port, this, counts));
  }

  @Override
  public boolean offer(Datagram datagram) {
    Datagram slot = free.poll();
    if (slot == null) {
      return false;
    }
    slot.copy(datagram);
    return filled.offer(slot);
  }

  private void answer() {
    try {
      for (Datagram slot = filled.take(); slot != end; slot = filled.take()) {
        handler.handle(slot.text());
        port.send(slot);
        free.add(slot);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // does not occur: an interrupt would close the channel
    }
  }

  @Override
  public void stop() {
    for (int i = 0; i < handlers; i++) {
      filled.add(end); // the queue has room for all slots and these
    }
  }
}
