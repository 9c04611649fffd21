package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.MethodTable;
import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.metrics.Metrics;
import dev.ringside.thrift.internal.wire.Budget;
import dev.ringside.thrift.internal.wire.Shortage;
import dev.ringside.thrift.internal.wire.WireFactory;
import dev.ringside.thrift.internal.work.ServerThread;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is the run of a server as its parts see it: what all connections share, such as options,
 * counters, memory and what was learned, and how far the server is between its start and its end.
 * Thread-safe.
 */
public final class ServerRun {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);

  public final Options options;
  public final Factories factories;
  public final WireFactory wires;
  public final Metrics metrics;
  public final PortReuse portReuse = new PortReuse();
  public final MethodTable methods;

  /** Runs the hooks for a connection's beginning and end. */
  public final Watched hooks;

  /** Runs the steps of TLS handshakes that Java delegates. */
  public final Watched handshakes;

  /** The shortage of memory, because of which loops put connections off. */
  public final Shortage memory;

  /** The memory of requests that are received and not run yet. */
  public final Budget requests;

  /** The memory of replies that clients have not read. */
  public final Budget replies;

  private final Runnable wakeAll;
  private final CountDownLatch stopRequested = new CountDownLatch(1);
  private final CountDownLatch loopsEnded = new CountDownLatch(1);
  private final CountDownLatch workersEnded = new CountDownLatch(1);

  private volatile boolean live;
  private volatile boolean stopping;
  private volatile boolean workersMayEnd;
  private volatile long stopDeadline;
  private volatile @Nullable Failure failure;
  private volatile @Nullable Throwable failureCause;

  /**
   * Creates a run that has not begun.
   *
   * @param connections returns how many connections are open
   * @param wakeLoops makes all loops check what they wait for
   * @param wakeAll makes all threads check how far the server is
   */
  public ServerRun(
      Options options,
      Factories factories,
      IntSupplier connections,
      Runnable wakeLoops,
      Runnable wakeAll) {
    this.options = options;
    this.metrics = new Metrics(options.name);
    this.factories = factories;
    this.wires =
        new WireFactory(
            options.sslContext,
            options.clientAuthentication,
            options.tlsProtocols,
            options.cipherSuites);
    this.methods = new MethodTable(options.inlineLimitNanos);
    this.hooks = new Watched(options.inlineLimitNanos);
    this.handshakes = new Watched(options.inlineLimitNanos);
    this.memory = new Shortage(wakeLoops);
    this.requests = new Budget(options.maxReadBufferBytes, connections, memory);
    this.replies = new Budget(options.maxReadBufferBytes, connections, memory);
    this.wakeAll = wakeAll;
  }

  /** Wakes all threads, so that they check whether the server is to be drained or stopped. */
  public void wakeAll() {
    wakeAll.run();
  }

  /** Starts a daemon thread that does not serve requests. */
  public Thread startDaemon(Runnable task, String role) {
    Thread thread = new ServerThread(task, options.name + "-" + role);
    thread.start();
    return thread;
  }

  /** Records that the server has, from now on, threads that close connections. */
  public void begin() {
    live = true;
  }

  /** Records that the server has no thread any more that would close a connection. */
  public void end() {
    live = false;
  }

  /** Reports whether no thread would close a connection. */
  public boolean hasEnded() {
    return !live;
  }

  /** Asks the server to stop. */
  public void stop() {
    synchronized (this) {
      if (stopping) {
        return;
      }
      stopDeadline = System.nanoTime() + options.stopTimeoutNanos;
      stopping = true;
    }
    stopRequested.countDown();
    wakeAll.run();
  }

  public boolean isStopping() {
    return stopping;
  }

  public boolean stopDeadlinePassed() {
    return stopping && System.nanoTime() - stopDeadline >= 0;
  }

  public void awaitStop() throws InterruptedException {
    stopRequested.await();
  }

  /** Stops the server because a part that it needs has failed. */
  public void fail(Failure what, Throwable cause) {
    failureCause = cause;
    failure = what;
    try {
      stop();
    } finally {
      report(what, cause);
    }
  }

  /** Throws an exception if a failure has stopped the server. */
  public void throwFailure() {
    Failure what = failure;
    if (what != null) {
      throw new IllegalStateException("server " + options.name + ": " + what.text(), failureCause);
    }
  }

  /** Counts and logs a failure of the server's own. Never throws. */
  public void report(Failure what, Throwable cause) {
    metrics.failures.add(what, "", "", cause);
  }

  /** Records that all loops have ended: workers without work may end, too. */
  public void endLoops() {
    workersMayEnd = true;
    loopsEnded.countDown();
  }

  public boolean workersMayEnd() {
    return workersMayEnd;
  }

  /** Records that no worker is left. */
  public void endWorkers() {
    workersEnded.countDown();
  }

  /** Waits, after a stop, until all workers have ended, at most until the deadline. */
  public void awaitWorkers() throws InterruptedException {
    if (!workersEnded.await(stopDeadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      // The loops end at the deadline by themselves; this is for their last turn.
      loopsEnded.await(1, TimeUnit.SECONDS);
    }
    if (workersEnded.getCount() > 0) {
      LOG.warn(
          "server {} leaves requests behind that did not end within {} ms",
          options.name,
          TimeUnit.NANOSECONDS.toMillis(options.stopTimeoutNanos));
    }
  }
}
