package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.KernelThread;
import dev.ringside.thrift.internal.metrics.CloseReason;
import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.work.Duty;
import dev.ringside.thrift.internal.work.HandOffRing;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs as a thread of the server. In order of preference it leads an event loop that has no leader,
 * serves connections from the ring, lingers with the connection that it served last, or is parked.
 */
public final class Worker implements Runnable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final ServerRun run;
  private final WorkerPool pool;
  private final HandOffRing<Connection> ring;
  private final Drain drain;
  private final Alarm alarm;
  private final Duty duty = new Duty(this::wake);
  public final Io io;
  public final RequestRunner runner;
  public final ReadyKeys ready = new ReadyKeys();
  private final LingerSelector linger;
  private volatile @Nullable Thread thread;

  public Worker(ServerRun run, Drain drain, Alarm alarm, WorkerPool pool) {
    this.run = run;
    this.pool = pool;
    this.ring = pool.ring;
    this.drain = drain;
    this.alarm = alarm;
    this.io = new Io(run.options.ioBufferBytes, run.options.directPieces);
    this.runner = new RequestRunner(run, pool, io);
    this.linger = new LingerSelector(ready, run.metrics.failures);
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    try {
      pool.roster.begin(duty);
    } catch (Throwable e) {
      // There is no memory for the roster. The watchdog tries again.
      pool.notStarted(e);
      return;
    }
    try {
      io.kernelThread = KernelThread.current();
      boolean ends = false;
      while (!ends) {
        ends = workUntilFailure();
      }
    } finally {
      try {
        linger.close();
      } finally {
        pool.exited(duty);
      }
    }
  }

  /**
   * Works and waits until this worker must end; returns false if it failed, which is no reason to
   * end. It does not loop itself: where memory is short, a frame that Java has optimized while it
   * runs may vanish with its catch block.
   */
  private boolean workUntilFailure() {
    try {
      workUntilEnd();
      return true;
    } catch (Throwable e) {
      // Whatever it is, the thread is needed.
      run.report(Failure.WORKER, e);
      // What this thread should have told others, the watchdog finds out.
      pool.watch();
      LockSupport.parkNanos(PAUSE_NANOS);
      return !pool.roster.failed(duty);
    }
  }

  private void workUntilEnd() {
    boolean goOn = true;
    while (goOn) {
      goOn = workUntilIdle() && pool.awaitWork(duty);
    }
  }

  private void wake(Duty.State from) {
    if (from == Duty.State.LINGERING) {
      linger.wakeUp();
    } else {
      LockSupport.unpark(thread);
    }
  }

  /**
   * Works until there is nothing to do; returns false if there are too many workers and this one
   * must end.
   */
  private boolean workUntilIdle() {
    while (pool.roster.mayStay(duty)) {
      EventLoop loop = pool.takeLeaderless();
      Connection connection = loop == null ? ring.poll() : null;
      if (loop == null && connection == null) {
        return true;
      }
      if (loop != null) {
        lead(loop);
        ready.clear();
      } else if (connection != null) {
        serve(connection);
      }
    }
    return false;
  }

  /**
   * Leads a loop until this worker is deposed or the server has stopped. A deposed one has finished
   * serving the connection that cost it the loop when this returns. If it fails, the loop gets
   * another leader.
   */
  private void lead(EventLoop loop) {
    Leadership mine = null;
    try {
      mine = new Leadership(loop, io, alarm);
      io.leadership = mine;
      loop.ledBy(mine);
      LoopMembers members = new LoopMembers(run, pool, loop, io);
      LoopSweep sweep = new LoopSweep(run, drain, pool, loop, io);
      new Leader(run, mine, alarm, this, pool, members, sweep).lead();
    } finally {
      if (!loop.isFinished() && (mine == null || !mine.isDeposed())) {
        pool.lead(loop);
      }
    }
  }

  /** Serves a connection that was taken from the ring. */
  public void serve(Connection connection) {
    try {
      io.now = System.nanoTime();
      pool.taken(io.now);
      long waited = io.now - connection.handedOffAt;
      run.metrics.queueNanos.add(waited);
      long most = run.options.queueTimeoutNanos;
      connection.expired = most > 0 && waited > most;
      act(connection, Outcome.HAND_OFF);
    } catch (Throwable e) {
      // A hook may throw anything, and memory may be short: it concerns this connection only.
      failed(connection, e);
    }
  }

  /** Acts on the outcome of serving a connection, as its owner. */
  public void finish(Connection connection, Outcome first) {
    try {
      act(connection, first);
    } catch (Throwable e) {
      // The same.
      failed(connection, e);
    }
  }

  /** Closes a connection that could not be served, as its owner. */
  public void failed(Connection connection, Throwable e) {
    connection.failed(e);
    close(connection);
  }

  private void act(Connection connection, Outcome first) {
    Outcome outcome = first == Outcome.IDLE ? lingerWith(connection) : first;
    while (outcome == Outcome.HAND_OFF || outcome == Outcome.MORE) {
      if (outcome == Outcome.MORE && !ring.isEmpty()) {
        connection.handedOffAt = io.now;
        if (pool.submit(connection)) {
          return;
        }
        // The ring is full: the loop hands it off when there is room.
        outcome = Outcome.HAND_OFF;
        break;
      }
      outcome = runner.serve(connection, false);
      if (outcome == Outcome.IDLE) {
        outcome = lingerWith(connection);
      }
    }
    giveBack(connection, outcome);
  }

  private void giveBack(Connection connection, Outcome outcome) {
    if (outcome == Outcome.CLOSED) {
      close(connection);
    } else if (run.isStopping() && outcome == Outcome.IDLE) {
      connection.closes(CloseReason.STOPPED, "");
      connection.closeGracefully(io);
      linger.deregisterClosed();
      connection.loop().wakeUp();
    } else {
      connection.outcome = outcome;
      if (outcome != Outcome.IDLE || !connection.ownership.giveBackWatched()) {
        connection.loop().giveBack(connection, io);
      }
    }
  }

  /** Closes it and removes it from all selectors; until then its socket stays open. */
  private void close(Connection connection) {
    connection.close(io);
    linger.deregisterClosed();
    connection.loop().wakeUp();
  }

  /**
   * Serves the connection for as long as it keeps this worker busy and no other connection needs
   * it.
   *
   * <p>Where requests block, a thread that waits for its connection's next request itself saves the
   * wake-ups of the event loop and of another worker. It ends when the connection falls silent or
   * when the worker is needed elsewhere, so that no connection waits for a thread that another one
   * keeps.
   */
  private Outcome lingerWith(Connection connection) {
    if (isLastWork() || !mayLinger(connection) || !linger.begin(connection.channel)) {
      return Outcome.IDLE;
    }
    Outcome outcome = Outcome.IDLE;
    try {
      while (outcome == Outcome.IDLE && awaitBytes()) {
        io.now = System.nanoTime();
        outcome = runner.serve(connection, false);
        if (!mayLinger(connection)) {
          break;
        }
      }
    } finally {
      linger.end(outcome != Outcome.CLOSED);
    }
    return outcome;
  }

  private boolean mayLinger(Connection connection) {
    return run.options.lingerMillis > 0
        && !pool.hasWork()
        && connection.mayLinger()
        && pool.roster.threads() <= run.options.lingerThreads;
  }

  /** Reports whether loops are about to close connections. */
  private boolean isLastWork() {
    return run.isStopping() || drain.hasBegun();
  }

  /**
   * Waits for bytes of the connection that it lingers with; returns false if there is other work.
   */
  private boolean awaitBytes() {
    boolean came = false;
    boolean stays = false;
    try {
      if (!pool.roster.linger(duty)) {
        return false;
      }
      // stop() and drain() set the flag before they wake everybody.
      came = !isLastWork() && linger.await(run.options.lingerMillis);
      if (!came) {
        run.metrics.lingersInVain.increment();
      }
    } finally {
      stays = pool.roster.endLinger(duty);
    }
    return stays && came;
  }
}
