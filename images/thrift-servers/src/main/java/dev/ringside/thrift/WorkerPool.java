package dev.ringside.thrift;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds the server's threads and their work: connections in the ring, and loops without a leader.
 * Threads start when needed, up to a limit, and end when idle for long. The {@link Roster} decides
 * which to wake.
 */
final class WorkerPool implements Work, Staff {
  private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Number of searching threads beyond which no more are woken. */
  private static final int MAX_SEARCHING = 2;

  private static final long LEADERLESS_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long POLL_SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final TDisruptorServer server;
  private final HandOff<Connection> ring;
  private final AtomicInteger leaderless = new AtomicInteger();
  private volatile long leaderlessSince;
  private final WaitMode waitMode;
  private final LingerGate lingerGate = new LingerGate();
  private final Roster roster;

  WorkerPool(TDisruptorServer server, HandOff<Connection> ring) {
    Options options = server.options();
    this.server = server;
    this.ring = ring;
    this.waitMode = options.waitMode;
    // A thread leads each loop; leading is no work.
    this.roster =
        new Roster(
            this,
            this,
            (long) options.minWorkers + options.selectors,
            (long) options.maxWorkers + options.selectors,
            waitMode.sleeps() ? 1 : MAX_SEARCHING);
  }

  Roster roster() {
    return roster;
  }

  /** Publishes a connection for a worker to serve; returns false if the ring is full. */
  boolean submit(Connection connection) {
    if (!ring.offer(connection)) {
      return false;
    }
    if (ring.isPolled()) {
      wakeOne();
    }
    return true;
  }

  /** Wakes or starts a worker if needed. If that fails, the watchdog tries again. */
  private void wakeOne() {
    try {
      roster.wakeOne();
    } catch (Throwable e) {
      server.metrics().failures.add(Failure.WAKE_UP, server.options().name, e);
      watch();
    }
  }

  /** Records that a worker has searched for work. */
  void hasLooked(Duty duty) {
    try {
      roster.hasLooked(duty);
    } catch (Throwable e) {
      server.metrics().failures.add(Failure.WAKE_UP, server.options().name, e);
      watch();
    }
  }

  /** Finds a leader for a loop, beyond the limit of threads if necessary. */
  void lead(EventLoop loop) {
    if (leaderless.getAndIncrement() == 0) {
      leaderlessSince = System.nanoTime();
    }
    loop.loseLeader();
    wakeOne();
  }

  /** Returns a loop that the caller must lead now, or null. */
  EventLoop takeLeaderless() {
    for (int i = 0; leaderless.get() > 0 && i < server.loops().size(); i++) {
      if (server.loops().get(i).takeLead()) {
        leaderless.decrementAndGet();
        return server.loops().get(i);
      }
    }
    return null;
  }

  /** Reports whether a loop has had no leader for a second, for lack of threads or memory. */
  boolean lacksLeader() {
    return leaderless.get() > 0 && System.nanoTime() - leaderlessSince > LEADERLESS_NANOS;
  }

  /** Reports whether there is something to do for a worker that has nothing to do. */
  @Override
  public boolean exists() {
    return leaderless.get() > 0 || ring.isPolled() && !ring.isEmpty();
  }

  /**
   * A loop without a leader is urgent: nothing serves its connections, and workers may be stuck.
   */
  @Override
  public boolean isUrgent() {
    return leaderless.get() > 0;
  }

  @Override
  public void watch() {
    Watchdog watchdog = server.watchdog();
    if (watchdog != null) {
      watchdog.watch();
    }
  }

  @Override
  public void start() {
    try {
      Worker worker = new Worker(server, ring);
      server.options().threadFactory.newThread(worker).start();
    } catch (Throwable e) {
      // Threads or memory are used up for the moment. The watchdog tries again.
      notStarted(e);
    }
  }

  /** Records that a thread that was counted does not work. */
  void notStarted(Throwable e) {
    roster.notStarted();
    server.workerEnded();
    server.metrics().failures.add(Failure.START, server.options().name, e);
  }

  /**
   * Closes the connections that wait in the ring, because the time to run their requests is over.
   */
  void closeQueued(Io io) {
    for (Connection connection = ring.takeBack();
        connection != null;
        connection = ring.takeBack()) {
      connection.closeGracefully(io);
    }
  }

  /** Reports whether a worker may linger with its connection instead of waiting for any other. */
  boolean mayLinger(long now) {
    return ring.isPolled() && !exists() && lingerGate.isOpen(now);
  }

  /** Reports whether work waits although a thread could be used for it. */
  boolean lacksThreads() {
    return roster.lacksThreads();
  }

  /** Returns the number of threads. */
  int threads() {
    return roster.threads() + ring.threads();
  }

  /** Recalls or starts threads for work that waits. */
  void relieve() {
    if (roster.lacksThreads() && roster.relieve()) {
      lingerGate.recalled(System.nanoTime());
    }
  }

  /** Waits until there is work; returns false if the worker must end. */
  boolean awaitWork(Duty duty) {
    if (poll(duty)) {
      return true;
    }
    if (!roster.park(duty)) {
      return false;
    }
    long deadline = System.nanoTime() + KEEP_ALIVE_NANOS;
    while (duty.state() == WorkerState.PARKED) {
      long left = deadline - System.nanoTime();
      if (left > 0) {
        LockSupport.parkNanos(this, left);
      } else if (roster.leaveIfIdle(duty)) {
        return false;
      } else {
        deadline = System.nanoTime() + KEEP_ALIVE_NANOS;
      }
      Thread.interrupted();
    }
    return true;
  }

  /** Waits without being parked, as the wait mode requires; returns true if there is work. */
  private boolean poll(Duty duty) {
    if (waitMode.polls() == 0) {
      return false;
    }
    if (waitMode.sleeps() && duty.state() != WorkerState.SEARCHING && !roster.search(duty)) {
      return false;
    }
    for (int polls = 1; !exists(); polls++) {
      if (server.workersMayEnd() || polls >= waitMode.polls() && !waitMode.sleeps()) {
        return false;
      }
      if (polls >= waitMode.polls()) {
        LockSupport.parkNanos(this, POLL_SLEEP_NANOS);
        Thread.interrupted();
      }
    }
    return true;
  }

  /** Records that a worker's thread ends. */
  void exited(Duty duty) {
    try {
      roster.leave(duty);
    } catch (Throwable e) {
      server.metrics().failures.add(Failure.WAKE_UP, server.options().name, e);
      watch();
    } finally {
      server.workerEnded();
    }
  }
}
