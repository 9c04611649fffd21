package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.MethodHabits;
import dev.ringside.thrift.internal.metrics.CloseReason;
import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.wire.Shortage;
import dev.ringside.thrift.internal.work.Duty;
import dev.ringside.thrift.internal.work.HandOffRing;
import dev.ringside.thrift.internal.work.Roster;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the server's threads and their work: connections in the ring, and loops without a leader.
 * Threads start when needed, up to a limit, and end when idle for long. The {@link Roster} decides
 * which to wake.
 */
public final class WorkerPool implements Roster.Staff {
  private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ServerRun run;
  private final EventLoops loops;
  private final Alarm alarm;
  private final Supplier<Worker> newWorker;

  /** The connections that wait for a worker. */
  public final HandOffRing<Connection> ring;

  /** The shortage of ring entries, because of which loops stop reading connections. */
  public final Shortage shortage;

  private final AtomicInteger leaderless = new AtomicInteger();
  private volatile long leaderlessSince;

  /** System.nanoTime() when a worker last took a connection. */
  private volatile long progressAt = System.nanoTime();

  public final Roster roster;

  public WorkerPool(ServerRun run, EventLoops loops, Alarm alarm, Supplier<Worker> newWorker) {
    Options options = run.options;
    this.run = run;
    this.loops = loops;
    this.alarm = alarm;
    this.newWorker = newWorker;
    this.ring = options.newRing();
    this.shortage = new Shortage(loops::wakeAll);
    // A thread leads each loop; leading is no work.
    this.roster =
        new Roster(
            this,
            (long) options.minWorkers + options.selectors,
            (long) options.maxWorkers + options.selectors);
  }

  /** Publishes a connection for a worker to serve; returns false if the ring is full. */
  public boolean submit(Connection connection) {
    if (!ring.offer(connection)) {
      return false;
    }
    try {
      roster.wakeOne();
    } catch (Throwable e) {
      // Memory is short. The connection is in the ring already.
      notWoken(e);
    }
    return true;
  }

  /** Reports that a thread could not be woken. The watchdog tries again. */
  private void notWoken(Throwable e) {
    run.report(Failure.WAKE_UP, e);
    watch();
  }

  /** Finds a leader for a loop, beyond the limit of threads if necessary. */
  public void lead(EventLoop loop) {
    if (leaderless.getAndIncrement() == 0) {
      leaderlessSince = System.nanoTime();
    }
    loop.loseLeader();
    try {
      roster.wakeUrgently();
    } catch (Throwable e) {
      // Memory is short. The loop is known to have no leader already.
      notWoken(e);
    }
  }

  /** Returns a loop that the caller must lead now, or null. */
  public @Nullable EventLoop takeLeaderless() {
    for (int i = 0; leaderless.get() > 0 && i < loops.size(); i++) {
      if (loops.get(i).takeLead()) {
        leaderless.decrementAndGet();
        return loops.get(i);
      }
    }
    return null;
  }

  /** Records that a worker has taken a connection from the ring. */
  public void taken(long now) {
    progressAt = now;
    shortage.eased();
  }

  /** Reports whether all workers have been busy for a second, each with one request. */
  public boolean isStuck() {
    return System.nanoTime() - progressAt > STUCK_NANOS && roster.isUsedUp();
  }

  /**
   * Takes a connection from the ring because {@link #isStuck}, if its method usually ends soon.
   * Puts another back behind the others. Returns null if there is nothing to do.
   */
  public @Nullable Connection takeQuick() {
    Connection connection = ring.poll();
    MethodHabits method = connection == null ? null : connection.lastMethod;
    if (connection != null && (method == null || !method.endsSoon()) && submit(connection)) {
      return null;
    }
    return connection;
  }

  /** Reports whether a loop has had no leader for a second, for lack of threads or memory. */
  public boolean lacksLeader() {
    return leaderless.get() > 0 && System.nanoTime() - leaderlessSince > STUCK_NANOS;
  }

  /** Reports whether there is something to do for a worker that has nothing to do. */
  @Override
  public boolean hasWork() {
    return leaderless.get() > 0 || !ring.isEmpty();
  }

  /**
   * A loop without a leader is urgent: nothing serves its connections, and workers may be stuck.
   */
  @Override
  public boolean hasUrgentWork() {
    return leaderless.get() > 0;
  }

  @Override
  public void watch() {
    alarm.watch();
  }

  @Override
  public void start() {
    try {
      run.options.threadFactory.newThread(this::work).start();
    } catch (Throwable e) {
      // Threads or memory are used up for the moment. The watchdog tries again.
      notStarted(e);
    }
  }

  /**
   * Runs as a new thread. Its buffers are made here and not by the one who needs it: where direct
   * memory is short, Java collects garbage for up to a second before it gives up.
   */
  private void work() {
    Worker worker;
    try {
      worker = newWorker.get();
    } catch (Throwable e) {
      // The same.
      notStarted(e);
      return;
    }
    worker.run();
  }

  /** Records that a thread that was counted does not work. */
  public void notStarted(Throwable e) {
    roster.notStarted();
    endIfLast();
    run.report(Failure.START, e);
  }

  private void endIfLast() {
    if (run.workersMayEnd() && roster.threads() == 0) {
      run.endWorkers();
    }
  }

  /**
   * Closes the connections that wait in the ring, because the time to run their requests is over.
   */
  public void closeQueued(Io io) {
    for (Connection connection = ring.poll(); connection != null; connection = ring.poll()) {
      connection.closes(CloseReason.CUT_OFF, "");
      connection.closeGracefully(io);
    }
  }

  /** Waits until there is work; returns false if the worker must end. */
  public boolean awaitWork(Duty duty) {
    if (!roster.park(duty)) {
      return false;
    }
    long deadline = System.nanoTime() + KEEP_ALIVE_NANOS;
    while (duty.state() == Duty.State.PARKED) {
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

  /** Records that a worker's thread ends. */
  public void exited(Duty duty) {
    try {
      roster.leave(duty);
    } catch (Throwable e) {
      // Memory is short. This thread ends anyway.
      notWoken(e);
    } finally {
      endIfLast();
    }
  }
}
