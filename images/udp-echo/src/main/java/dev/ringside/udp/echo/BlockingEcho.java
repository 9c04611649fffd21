package dev.ringside.udp.echo;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * One acceptor thread hands over by a queue to handler threads, which answer by themselves. Slots
 * come from a pool and go back to it: nothing is allocated per datagram, and two locks are taken
 * for each.
 */
final class BlockingEcho implements Variant, HandOff {
  private final Port port;
  private final Handler handler;
  private final int handlers;
  private final Counts counts;
  private final BlockingQueue<Datagram> free;
  private final BlockingQueue<Datagram> filled;
  // Ends a handler thread: it is put once for each.
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
      Thread.currentThread().interrupt(); // nobody does: it would close the channel
    }
  }

  @Override
  public void stop() {
    for (int i = 0; i < handlers; i++) {
      filled.add(end); // there is room for all slots and these
    }
  }
}
