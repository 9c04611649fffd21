package dev.ringside.udp.echo;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Submits a task per datagram from one acceptor thread to a fixed pool, as most programs would.
 * Each datagram costs a copy, a task and the queue's lock. The garbage collector frees the copies,
 * so they are small and in the heap.
 */
final class ExecutorEcho implements Variant, HandOff {
  private final Port port;
  private final Handler handler;
  private final int handlers;
  private final int slots;
  private final Counts counts;
  private ThreadPoolExecutor pool;

  ExecutorEcho(Port port, Handler handler, int handlers, int slots, Counts counts) {
    this.port = port;
    this.handler = handler;
    this.handlers = handlers;
    this.slots = slots;
    this.counts = counts;
  }

  @Override
  public void start(Workers workers) {
    pool =
        new ThreadPoolExecutor(
            handlers,
            handlers,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(slots),
            workers::thread,
            new ThreadPoolExecutor.AbortPolicy());
    pool.prestartAllCoreThreads();
    workers.start(new Acceptor(port, this, counts));
  }

  @Override
  public boolean offer(Datagram datagram) {
    Datagram copy = Datagram.onHeap(datagram);
    try {
      pool.execute(() -> answer(copy));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void answer(Datagram datagram) {
    handler.handle(datagram.text());
    port.send(datagram);
  }

  @Override
  public void stop() {
    // Not shutdownNow: an interrupt would close the channel of a thread that sends, and running
    // tasks end soon.
    pool.getQueue().clear();
    pool.shutdown();
  }
}
