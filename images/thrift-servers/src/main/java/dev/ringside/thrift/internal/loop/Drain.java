package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.CloseReason;
import dev.ringside.thrift.internal.metrics.Failures;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains a server in three steps: it accepts no new connections; loops close silent ones; at the
 * deadline loops cut off the rest. A thread of its own runs the steps, so that a caller that gives
 * up waiting does not stop them. Thread-safe.
 */
public final class Drain implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);

  /** How long a connection must have been silent to count as idle. */
  public static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How often loops check for such connections, with one pass over all connections. */
  public static final long LOOK_MILLIS = 10;

  /** Time limit of each pass of the loops at the deadline, which should take a few ms. */
  private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long MOST_NANOS = TimeUnit.DAYS.toNanos(365);

  private final ServerRun run;
  private final Admission admission;
  private final EventLoops loops;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean begun;
  private volatile boolean closing;

  /** Number of the pass over all loops that cuts connections off; 0 before the deadline. */
  private volatile int pass;

  // Guarded by this.
  private long deadline;
  private int loopsToPass;

  public Drain(ServerRun run, Admission admission, EventLoops loops) {
    this.run = run;
    this.admission = admission;
    this.loops = loops;
  }

  /** Reports whether it has begun, even if it has ended. */
  public boolean hasBegun() {
    return begun;
  }

  /** Reports whether loops must close silent connections. */
  public boolean isClosing() {
    return closing;
  }

  /** Returns the pass in which loops must cut connections off; 0 before the deadline. */
  public int pass() {
    return pass;
  }

  /**
   * Begins the drain and waits for its end. If it has begun already, the earlier deadline counts.
   */
  public void await(long timeoutNanos) throws InterruptedException {
    begin(Math.min(timeoutNanos, MOST_NANOS));
    ended.await();
  }

  private synchronized void begin(long timeoutNanos) {
    long wanted = System.nanoTime() + timeoutNanos;
    if (!begun) {
      deadline = wanted;
      begun = true;
      boolean started = false;
      try {
        run.startDaemon(this, "drain");
        started = true;
      } finally {
        begun = started;
      }
    } else if (wanted - deadline < 0) {
      deadline = wanted;
      notifyAll();
    }
  }

  /** Makes the drain check whether it has ended. Called when that may have changed. */
  public void signal() {
    if (begun) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** Records that a loop has done its part of a pass. */
  public synchronized void passed() {
    loopsToPass--;
    notifyAll();
  }

  @Override
  public void run() {
    try {
      run.wakeAll();
      awaitDeadline(() -> !admission.isOpen());
      closing = true;
      run.wakeAll();
      awaitDeadline(() -> run.hasEnded() || isEmpty());
      if (!run.hasEnded() && !isEmpty()) {
        cutOff();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closing = false;
      ended.countDown();
    }
  }

  private boolean isEmpty() {
    return !admission.isOpen() && admission.connections() == 0;
  }

  /**
   * Makes all loops cut off their connections, until a pass finds none. One pass is not enough,
   * because a connection may be on its way from one loop to another.
   */
  private void cutOff() throws InterruptedException {
    long before;
    do {
      before = run.metrics.closings.count(CloseReason.CUT_OFF);
      synchronized (this) {
        loopsToPass = loops.size();
        pass++;
      }
      run.wakeAll();
      long margin = System.nanoTime() + MARGIN_NANOS;
      synchronized (this) {
        while (loopsToPass > 0 && !run.isStopping() && waitUntil(margin)) {
          // until signalled
        }
        if (loopsToPass > 0 && !run.isStopping()) {
          LOG.warn(
              "{} event loops of server {} have not cut off their connections in time",
              loopsToPass,
              run.options.name);
        }
      }
    } while (!run.isStopping()
        && (pass == 1 || run.metrics.closings.count(CloseReason.CUT_OFF) > before));
    if (run.isStopping()) {
      // From then on loops do as stop() says, within its time.
      awaitEndOfServer();
    }
  }

  private synchronized void awaitEndOfServer() throws InterruptedException {
    while (!run.hasEnded()) {
      wait();
    }
  }

  private synchronized void awaitDeadline(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean() && waitUntil(deadline)) {
      // until signalled
    }
  }

  /** Waits for a signal; returns false if the time has come. Needs the lock. */
  private boolean waitUntil(long time) throws InterruptedException {
    long left = time - System.nanoTime();
    if (left <= 0) {
      return false;
    }
    TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
    return true;
  }
}
