package dev.ringside.thrift;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands connections to virtual threads: a ring, and one thread per connection in it, at most as
 * many at a time as the server may have workers. A thread that has served takes the next entry of
 * the ring, and ends if there is none: starting another thread is cheaper than letting this one
 * wait.
 *
 * <p>Invariant: if the ring has an entry, then as many threads run as allowed, or one is on its way
 * to the ring, or none could be started and the watchdog knows.
 */
final class VirtualHandOff extends HandOff<Connection> {
  /** How many workers are kept for the next threads, so that these need no new buffers. */
  private static final int SPARE = 64;

  private final TDisruptorServer server;
  private final HandOffRing<Connection> ring;
  private final ThreadFactory factory;
  private final int most;
  private final AtomicInteger threads = new AtomicInteger();
  private final Queue<Worker> spare = new ArrayBlockingQueue<>(SPARE);
  private volatile boolean notStarted;

  VirtualHandOff(TDisruptorServer server) {
    this(server, VirtualThreads.factory(server.options().name + "-virtual-"));
  }

  VirtualHandOff(TDisruptorServer server, ThreadFactory factory) {
    this.server = server;
    this.ring = new HandOffRing<>(server.options().ringSize);
    this.factory = factory;
    this.most = server.options().maxWorkers;
  }

  @Override
  boolean offer(Connection connection) {
    if (!ring.offer(connection)) {
      return false;
    }
    startOne();
    return true;
  }

  private void startOne() {
    if (!enter()) {
      return;
    }
    try {
      factory.newThread(this::run).start();
    } catch (Throwable e) {
      threads.getAndDecrement();
      failed(e);
    }
  }

  /** Records that memory is used up for the moment; the watchdog tries again. */
  private void failed(Throwable e) {
    notStarted = true;
    server.watchdog().watch();
    server.metrics().failures.add(Failure.VIRTUAL_THREAD, server.options().name, e);
  }

  /** Counts one more thread, if the limit allows it. */
  private boolean enter() {
    // A full fence: a thread that ends from now on sees what was published to the ring.
    int now = threads.getAndAdd(0);
    while (now < most) {
      if (threads.compareAndSet(now, now + 1)) {
        return true;
      }
      now = threads.get();
    }
    return false;
  }

  private void run() {
    boolean served;
    do {
      served = false;
      try {
        serve();
        served = true;
      } catch (Throwable e) {
        failed(e);
      } finally {
        threads.getAndDecrement();
      }
      // First that, then the look: who offers meanwhile starts another, or is seen here.
    } while (served && !ring.isEmpty() && enter());
    server.workerEnded();
  }

  private void serve() {
    Worker worker = spare.poll();
    if (worker == null) {
      worker = Worker.virtual(server, this);
    }
    for (Connection connection = ring.poll(); connection != null; connection = ring.poll()) {
      worker.serve(connection);
    }
    spare.offer(worker);
  }

  @Override
  boolean isPolled() {
    return false;
  }

  @Override
  int threads() {
    return threads.get();
  }

  @Override
  boolean lacksThreads() {
    return notStarted && !ring.isEmpty();
  }

  @Override
  void relieve() {
    notStarted = false;
    startOne();
  }

  @Override
  Connection poll() {
    return null;
  }

  @Override
  Connection takeBack() {
    return ring.poll();
  }

  @Override
  boolean isEmpty() {
    return ring.isEmpty();
  }

  @Override
  boolean hasRoom() {
    return ring.hasRoom();
  }

  @Override
  int occupancy() {
    return ring.occupancy();
  }

  @Override
  int size() {
    return ring.size();
  }
}
