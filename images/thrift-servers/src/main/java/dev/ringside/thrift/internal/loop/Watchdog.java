package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.KernelThread;
import dev.ringside.thrift.internal.habits.MethodHabits;
import dev.ringside.thrift.internal.metrics.Failure;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds leaders that are stuck in a request, and replaces them. It polls twice in the time after
 * which a request counts as blocked. A leader that waits (for a lock, a future, a sleep) and made
 * no progress between two polls is deposed. One that may be computing, or is in a system call, gets
 * four times as long.
 *
 * <p>It also recalls workers that linger with idle connections while requests wait, wakes loops
 * that others failed to wake, and runs the {@link LoopBalancer}.
 *
 * <p>When nothing has happened for a few polls, it sleeps until a leader wakes it, and costs
 * nothing.
 */
public final class Watchdog implements Runnable {
  private static final int LOOKS_WHILE_RUNNING = 8;
  private static final int IDLE_LOOKS_BEFORE_SLEEP = 4;

  /** Every so many polls, the kernel is asked about a leader that makes progress, but slowly. */
  private static final int SAMPLED_LOOKS = 4;

  private static final int IO_BYTES = 32 << 10;

  /** Holds what the last poll of a loop saw. */
  private static final class View {
    private @Nullable Leadership leadership;
    private long progress;
    private int sameLooks;
  }

  private final ServerRun run;
  private final EventLoops loops;
  private final WorkerPool workers;
  private final Alarm alarm;
  private final BooleanSupplier needed = this::isNeeded;
  private final LoopBalancer balancer;
  private final View[] views;
  private final long lookNanos;
  private boolean lackedWorkers;
  private int looksTaken;

  /** Sends the replies of stuck leaders. Made in time: where direct memory is short, Java waits. */
  private final Io io = new Io(IO_BYTES, 0);

  public Watchdog(ServerRun run, EventLoops loops, WorkerPool workers, Alarm alarm) {
    this.run = run;
    this.loops = loops;
    this.workers = workers;
    this.alarm = alarm;
    this.lookNanos = Math.max(100_000, run.options.blockedAfterNanos / 2);
    this.balancer = new LoopBalancer(loops);
    this.views = new View[loops.size()];
    for (int i = 0; i < views.length; i++) {
      views[i] = new View();
    }
  }

  @Override
  public void run() {
    alarm.begin();
    while (!run.workersMayEnd()) {
      lookUntilFailure();
    }
  }

  /** It does not loop itself, for the reason that {@link Worker} has. */
  private void lookUntilFailure() {
    try {
      lookUntilEnd();
    } catch (Throwable e) {
      // Whatever it is, without a watchdog one request that blocks would stop its loop for good.
      run.report(Failure.WATCHDOG, e);
      LockSupport.parkNanos(lookNanos);
    }
  }

  private void lookUntilEnd() {
    int idleLooks = 0;
    while (!run.workersMayEnd()) {
      if (idleLooks >= IDLE_LOOKS_BEFORE_SLEEP) {
        idleLooks = 0;
        alarm.sleepUnless(needed, balancer.next());
      }
      LockSupport.parkNanos(this, lookNanos);
      Thread.interrupted();
      idleLooks = lookAtAll() ? 0 : idleLooks + 1;
    }
  }

  private boolean lookAtAll() {
    boolean active = false;
    for (int i = 0; i < views.length; i++) {
      active |= look(loops.get(i), views[i]);
      active |= loops.get(i).wakeAgain();
    }
    active |= lookAtWorkers();
    balancer.look();
    return active;
  }

  private boolean isNeeded() {
    if (run.workersMayEnd()) {
      return true;
    }
    for (int i = 0; i < views.length; i++) {
      Leadership leadership = loops.get(i).leadership();
      if (leadership != null && leadership.isServing() || loops.get(i).lacksWakeUp()) {
        return true;
      }
    }
    return workers.roster.lacksThreads();
  }

  /**
   * Recalls a worker for requests that have waited since the last poll; returns true if any wait.
   */
  private boolean lookAtWorkers() {
    boolean lacks = workers.roster.lacksThreads();
    if (lacks && lackedWorkers) {
      workers.roster.relieve();
    }
    lackedWorkers = lacks;
    return lacks;
  }

  /**
   * Polls one loop. Returns true if its leader has run a request since the last poll, or runs one.
   */
  private boolean look(EventLoop loop, View view) {
    Leadership leadership = loop.leadership();
    if (leadership == null) {
      return false;
    }
    long progress = leadership.io.progress.get();
    boolean same = leadership == view.leadership && progress == view.progress;
    view.leadership = leadership;
    view.progress = progress;
    if (!leadership.isServing()) {
      view.sameLooks = 0;
      return !same;
    }
    view.sameLooks = same ? view.sameLooks + 1 : 0;
    MethodHabits method = leadership.io.running.get();
    boolean waits = waits(leadership, view.sameLooks > 0, method);
    if (waits && method != null) {
      method.seenWaiting();
    }
    if (view.sameLooks >= (waits ? 1 : LOOKS_WHILE_RUNNING) && leadership.depose(io)) {
      workers.lead(loop);
      view.sameLooks = 0;
      run.metrics.promotions.increment();
      // Now and not when the request ends: the next ones must not block the next leader.
      if (method != null && waits) {
        method.caughtBlocking();
      } else if (method != null) {
        method.caughtRunning();
      }
    }
    return true;
  }

  /**
   * Reports whether a leader waits. Java reports locks, futures and sleeps. The kernel is asked
   * about leaders that seem to run without progress, and from time to time about slow methods.
   */
  private boolean waits(Leadership leadership, boolean stuck, @Nullable MethodHabits method) {
    if (waits(leadership.thread)) {
      return true;
    }
    boolean sampled = method != null && method.isSuspicious() && ++looksTaken % SAMPLED_LOOKS == 0;
    KernelThread thread = leadership.io.kernelThread;
    return (stuck || sampled) && thread != null && thread.waits();
  }

  private static boolean waits(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING
        || state == Thread.State.TIMED_WAITING
        || state == Thread.State.BLOCKED;
  }
}
