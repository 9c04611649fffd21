package dev.ringside.thrift;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's last work before it is stopped, in three steps: it takes no new connections; loops
 * close those that have fallen silent; at the deadline, or when none is left, loops cut off the
 * rest. A thread of its own goes through them, so that nobody who waits for the end can stop it by
 * giving up. From any thread.
 */
final class Drain implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);

  /** How long a connection must have been still to count as idle: clients ask again sooner. */
  static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How often loops look for such connections; one pass over all of a loop's each time. */
  static final long LOOK_MILLIS = 10;

  /** For each pass of the loops at the deadline, which is to take a few ms. */
  private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long MOST_NANOS = TimeUnit.DAYS.toNanos(365);

  private final TDisruptorServer server;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean begun;
  private volatile boolean closing;

  /** Counts the passes over all loops that cut connections off; 0 before the deadline. */
  private volatile int pass;

  // Guarded by this.
  private long deadline;
  private int loopsToPass;

  Drain(TDisruptorServer server) {
    this.server = server;
  }

  /** Whether it has been asked for, at whatever time before. */
  boolean hasBegun() {
    return begun;
  }

  /** Whether loops are to close connections. */
  boolean isClosing() {
    return closing;
  }

  /** The pass in which loops are to cut connections off; 0 for not yet. */
  int pass() {
    return pass;
  }

  /**
   * Begins it, unless it has begun: then the earlier of both deadlines counts. Waits for its end.
   */
  void await(long timeoutNanos) throws InterruptedException {
    begin(Math.min(timeoutNanos, MOST_NANOS));
    ended.await();
  }

  private synchronized void begin(long timeoutNanos) {
    long wanted = System.nanoTime() + timeoutNanos;
    if (!begun) {
      deadline = wanted;
      begun = true;
      server.daemon(this, "drain");
    } else if (wanted - deadline < 0) {
      deadline = wanted;
      notifyAll();
    }
  }

  /** Looks again whether it has come to its end; to be called when that may have changed. */
  void signal() {
    if (begun) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** A loop has done its part of a pass. */
  synchronized void passed() {
    loopsToPass--;
    notifyAll();
  }

  @Override
  public void run() {
    try {
      server.wakeAll();
      awaitDeadline(server::hasStoppedAccepting);
      closing = true;
      server.wakeAll();
      awaitDeadline(() -> isOver() || isEmpty());
      if (!isOver() && !isEmpty()) {
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
    return server.hasStoppedAccepting() && server.connections() == 0;
  }

  /** Whether the server has nobody left to close connections, or never had. */
  private boolean isOver() {
    return server.hasEnded();
  }

  /**
   * Has all loops cut off what they have, until a pass has found nothing. One pass is not enough: a
   * connection may be on its way from one loop to another.
   */
  private void cutOff() throws InterruptedException {
    long before;
    do {
      before = server.metrics().cutOff.sum();
      synchronized (this) {
        loopsToPass = server.loops().size();
        pass++;
      }
      server.wakeAll();
      long margin = System.nanoTime() + MARGIN_NANOS;
      synchronized (this) {
        while (loopsToPass > 0 && !server.isStopping() && waitUntil(margin)) {
          // until signalled
        }
        if (loopsToPass > 0 && !server.isStopping()) {
          LOG.warn(
              "{} event loops of server {} have not cut off their connections in time",
              loopsToPass,
              server.options().name);
        }
      }
    } while (!server.isStopping() && (pass == 1 || server.metrics().cutOff.sum() > before));
    if (server.isStopping()) {
      // From then on loops do as stop() says, within its time.
      awaitEndOfServer();
    }
  }

  private synchronized void awaitEndOfServer() throws InterruptedException {
    while (!isOver()) {
      wait();
    }
  }

  private synchronized void awaitDeadline(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean() && waitUntil(deadline)) {
      // until signalled
    }
  }

  /** Waits for a signal; false if that time has come. Holding the lock. */
  private boolean waitUntil(long time) throws InterruptedException {
    long left = time - System.nanoTime();
    if (left <= 0) {
      return false;
    }
    TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
    return true;
  }
}
