package dev.ringside.thrift;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's threads: started when needed up to a limit, ended when idle for long. Who publishes
 * to the ring wakes one of them at most: the one that was parked last, else a new one. One that
 * lingers with a silent connection is called when no other has come for a while.
 */
final class WorkerPool {
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);
  private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * Workers on their way to the ring, beyond which no more are woken: each wakes the next if
   * needed.
   */
  private static final int MAX_SEARCHING = 2;

  private static final long POLL_SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final TDisruptorServer server;
  private final HandOffRing<Connection> ring;
  private final int minThreads;
  private final int maxThreads;
  private final WaitMode waitMode;

  private final LingerGate lingerGate = new LingerGate();

  // Guarded by this object's lock.
  private final ArrayDeque<Worker> parked = new ArrayDeque<>();
  private final ArrayDeque<EventLoop> leaderless = new ArrayDeque<>();
  private final List<Worker> all = new ArrayList<>();

  // Read without the lock by who publishes. Each changes under the lock, except the last three.
  private final AtomicInteger parkedCount = new AtomicInteger();
  private final AtomicInteger leaderlessCount = new AtomicInteger();
  private final AtomicInteger threadCount = new AtomicInteger();
  private final AtomicInteger lingeringCount = new AtomicInteger();
  private final AtomicInteger pollingCount = new AtomicInteger();
  private final AtomicInteger searchingCount = new AtomicInteger();

  WorkerPool(TDisruptorServer server, HandOffRing<Connection> ring) {
    Options options = server.options();
    this.server = server;
    this.ring = ring;
    // A thread leads each loop; leading is no work.
    this.minThreads = options.minWorkers + options.selectors;
    this.maxThreads = options.maxWorkers + options.selectors;
    this.waitMode = options.waitMode;
  }

  /** Publishes a connection for a worker to serve; false if the ring is full. */
  boolean submit(Connection connection) {
    if (!ring.offer(connection)) {
      return false;
    }
    wakeOne();
    return true;
  }

  /** Finds a leader for a loop, also beyond the limit of threads if need be. */
  void lead(EventLoop loop) {
    synchronized (this) {
      leaderless.add(loop);
      leaderlessCount.incrementAndGet();
    }
    wakeOne();
  }

  /** A loop to lead, or null. */
  EventLoop takeLeaderless() {
    if (leaderlessCount.get() == 0) {
      return null;
    }
    synchronized (this) {
      EventLoop loop = leaderless.poll();
      if (loop != null) {
        leaderlessCount.decrementAndGet();
      }
      return loop;
    }
  }

  /** Whether there is something to do for a worker that has nothing to do. */
  boolean hasWork() {
    return leaderlessCount.get() > 0 || !ring.isEmpty();
  }

  /** Whether a worker may linger with its connection instead of waiting for any other. */
  boolean mayLinger(long now) {
    return !hasWork() && lingerGate.isOpen(now);
  }

  /** Counts workers that linger. A full fence: what is published before is seen after. */
  void lingering(int change) {
    lingeringCount.addAndGet(change);
  }

  private void wakeOne() {
    // A full fence between publishing and looking for a worker that may be on its way to sleep.
    boolean enough = searchingCount.getAndAdd(0) >= MAX_SEARCHING || pollingCount.get() > 0;
    if (enough && leaderlessCount.get() == 0) {
      return;
    }
    if (parkedCount.get() > 0 && unparkOne()) {
      return;
    }
    if (threadCount.get() < threadLimit() && startOne()) {
      return;
    }
    if (lingeringCount.get() > 0) {
      server.watchdog().watch();
    }
  }

  /**
   * Whether requests wait though some worker lingers, and no other is on its way to them; to be
   * looked at by the watchdog, because a worker that has just served a connection is on its way
   * unseen.
   */
  boolean lacksWorkers() {
    return lingeringCount.get() > 0
        && hasWork()
        && parkedCount.get() == 0
        && searchingCount.get() == 0
        && threadCount.get() >= threadLimit();
  }

  /**
   * A loop without a leader gets a thread beyond the limit: all others may be stuck in handlers.
   * That ends by itself, because a method that has blocked a leader is handed off from then on.
   */
  private int threadLimit() {
    return leaderlessCount.get() > 0 ? Integer.MAX_VALUE : maxThreads;
  }

  private boolean unparkOne() {
    Worker worker;
    synchronized (this) {
      worker = parked.pollLast();
      if (worker == null) {
        return false;
      }
      parkedCount.decrementAndGet();
    }
    searchingCount.incrementAndGet();
    worker.searching = true;
    worker.signalled = true;
    LockSupport.unpark(worker.thread);
    return true;
  }

  /**
   * To be called by a worker that was woken or started, once it has looked at the ring. Whoever
   * published while it was on its way has relied on it to wake the next.
   */
  void searchEnded() {
    searchingCount.decrementAndGet();
    if (hasWork()) {
      wakeOne();
    }
  }

  private boolean startOne() {
    Worker worker = new Worker(server, this, ring);
    synchronized (this) {
      if (threadCount.get() >= threadLimit()) {
        return false;
      }
      threadCount.incrementAndGet();
      all.add(worker);
    }
    searchingCount.incrementAndGet();
    worker.searching = true;
    try {
      server.options().threadFactory.newThread(worker).start();
      return true;
    } catch (Throwable e) {
      LOG.error("cannot start a worker of server {}", server.options().name, e);
      searchingCount.decrementAndGet();
      exited(worker);
      return false;
    }
  }

  /** Calls a worker that lingers to the ring. */
  void recallOne() {
    synchronized (this) {
      for (Worker worker : all) {
        if (worker.recall()) {
          lingerGate.recalled(System.nanoTime());
          return;
        }
      }
    }
  }

  /** Waits until there is something to do; false if the worker is to end. */
  boolean awaitWork(Worker worker) {
    if (server.workersMayEnd()) {
      return false;
    }
    if (poll()) {
      return true;
    }
    synchronized (this) {
      worker.signalled = false;
      parked.addLast(worker);
      parkedCount.incrementAndGet();
    }
    if (hasWork() || server.workersMayEnd()) {
      unpark(worker);
      return !server.workersMayEnd();
    }
    long deadline = System.nanoTime() + KEEP_ALIVE_NANOS;
    while (!worker.signalled) {
      long left = deadline - System.nanoTime();
      if (left > 0) {
        LockSupport.parkNanos(this, left);
      } else if (threadCount.get() > minThreads && unpark(worker)) {
        return false;
      } else {
        deadline = System.nanoTime() + KEEP_ALIVE_NANOS;
      }
      Thread.interrupted();
    }
    return true;
  }

  /** Takes a worker off the list of the parked; false if someone has woken it already. */
  private boolean unpark(Worker worker) {
    synchronized (this) {
      if (!parked.remove(worker)) {
        return false;
      }
      parkedCount.decrementAndGet();
      return true;
    }
  }

  /** Waits without being parked, as the wait mode says; true if there is something to do. */
  private boolean poll() {
    if (waitMode.polls() == 0) {
      return false;
    }
    boolean forEver = waitMode.pollers() > 0;
    if (forEver && pollingCount.incrementAndGet() > waitMode.pollers()) {
      pollingCount.decrementAndGet();
      return false;
    }
    try {
      int polls = 0;
      while (!hasWork()) {
        if (server.workersMayEnd()) {
          return true;
        }
        if (++polls < waitMode.polls()) {
          if (waitMode == WaitMode.YIELDING) {
            Thread.yield();
          }
        } else if (waitMode.sleeps()) {
          LockSupport.parkNanos(this, POLL_SLEEP_NANOS);
          Thread.interrupted();
        } else if (!forEver) {
          return false;
        }
      }
      return true;
    } finally {
      if (forEver) {
        pollingCount.decrementAndGet();
        if (hasWork()) {
          // This worker takes one entry; who saw it polling has woken nobody for the others.
          wakeOne();
        }
      }
    }
  }

  /** Wakes all workers, to look whether they may end. */
  void wakeAll() {
    List<Worker> workers;
    synchronized (this) {
      workers = new ArrayList<>(all);
      parked.clear();
      parkedCount.set(0);
    }
    for (Worker worker : workers) {
      worker.signalled = true;
      LockSupport.unpark(worker.thread);
      worker.recall();
    }
  }

  /** To be called by a worker's thread when it ends. */
  void exited(Worker worker) {
    synchronized (this) {
      all.remove(worker);
      threadCount.decrementAndGet();
    }
    server.workerEnded();
  }

  int threads() {
    return threadCount.get();
  }

  int parkedThreads() {
    return parkedCount.get();
  }

  int lingeringThreads() {
    return lingeringCount.get();
  }
}
