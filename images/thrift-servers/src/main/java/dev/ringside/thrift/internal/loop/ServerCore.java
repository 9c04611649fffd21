package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.habits.MethodTable;
import dev.ringside.thrift.internal.metrics.Failure;
import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.metrics.Metrics;
import dev.ringside.thrift.internal.wire.ReadBudget;
import dev.ringside.thrift.internal.wire.Shortage;
import dev.ringside.thrift.internal.wire.UnsentBytes;
import dev.ringside.thrift.internal.wire.WireFactory;
import dev.ringside.thrift.internal.work.HandOffRing;
import dev.ringside.thrift.internal.work.ServerThread;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.thrift.server.TServerEventHandler;
import org.apache.thrift.transport.TNonblockingServerTransport;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is a server behind its API: creates its parts, starts them, and ends them. May be called from any
 * thread, except {@link #serve()}.
 */
public final class ServerCore {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.LOGGER);

  private final Options options;
  private final Metrics metrics = new Metrics();
  private final Factories factories;
  private final TNonblockingServerTransport transport;
  private final Supplier<@Nullable TServerEventHandler> events;
  private final Admission admission;
  private final MethodTable methods;
  private final Watched hooks;
  private final WireFactory wires;
  private final ReadBudget budget;
  private final UnsentBytes unsentBytes;
  private final HandOffRing<Connection> ring;
  private final WorkerPool workers;
  private final ServerMBean mbean;
  private final Drain drain;

  private final EventLoops loops = new EventLoops();
  private final Shortage ringShortage = new Shortage(loops::wakeAll);
  private final Shortage memoryShortage = new Shortage(loops::wakeAll);
  private final AtomicInteger loopsLeft = new AtomicInteger();
  private final CountDownLatch stopRequested = new CountDownLatch(1);
  private final CountDownLatch loopsEnded = new CountDownLatch(1);
  private final CountDownLatch drained = new CountDownLatch(1);

  private volatile @Nullable Acceptor acceptor;
  private @Nullable Thread acceptorThread;
  private volatile @Nullable Watchdog watchdog;

  private final AtomicBoolean called = new AtomicBoolean();

  /** Whether threads may wait that stop() must wake. */
  private volatile boolean started;

  private volatile boolean serving;

  private volatile boolean stopping;
  private volatile boolean ended;
  private volatile boolean workersMayEnd;
  private volatile long stopDeadline;
  private volatile @Nullable Failure failure;
  private volatile @Nullable Throwable failureCause;

  /** Creates a server that does not serve yet. */
  public ServerCore(
      Options options,
      Factories factories,
      TNonblockingServerTransport transport,
      Supplier<@Nullable TServerEventHandler> events) {
    this.options = options;
    this.factories = factories;
    this.transport = transport;
    this.events = events;
    drain = new Drain(this);
    admission = new Admission(options.maxConnections, metrics, drain::signal);
    methods = new MethodTable(options.inlineLimitNanos);
    hooks = new Watched(this, options.inlineLimitNanos);
    budget = new ReadBudget(options.maxReadBufferBytes);
    wires =
        new WireFactory(
            options.sslContext,
            options.clientAuthentication,
            options.tlsProtocols,
            options.cipherSuites,
            budget,
            new Watched(this, options.inlineLimitNanos));
    unsentBytes = new UnsentBytes(options.maxReadBufferBytes);
    ring = options.newRing();
    workers = new WorkerPool(this, ring);
    mbean = new ServerMBean(this);
  }

  /** Serves until it is stopped and running requests have ended. */
  public void serve() {
    if (!called.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "server " + options.name + " cannot serve twice: make another one");
    }
    try {
      start();
      stopRequested.await();
      awaitDrained();
    } catch (InterruptedException e) {
      stop();
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      stop();
      abandon();
      throw e;
    } finally {
      serving = false;
      ended = true;
      drain.signal();
      mbean.unregister();
      transport.close();
    }
    if (failure != null) {
      throw new IllegalStateException(
          "server " + options.name + ": " + failure.text(), failureCause);
    }
  }

  private void start() {
    if (stopping || drain.hasBegun()) {
      drained.countDown();
      return;
    }
    try {
      transport.listen();
      loops.open(this, options.selectors);
      acceptor = new Acceptor(this, transport);
    } catch (TTransportException | IOException e) {
      throw new IllegalStateException(
          "server " + options.name + " cannot listen: " + e.getMessage(), e);
    }
    loopsLeft.set(loops.size());
    watchdog = new Watchdog(this, loops);
    mbean.register();
    if (getEventHandler() != null) {
      getEventHandler().preServe();
    }
    started = true;
    loops.forEach(workers::lead);
    daemon(watchdog, "watchdog");
    acceptorThread = daemon(acceptor, "acceptor");
    serving = true;
    if (stopping) {
      wakeAll();
    }
  }

  /** Releases, after a start that failed, what no thread has taken over. */
  private void abandon() {
    try {
      if (!started) {
        loops.abandon();
      }
      if (acceptor != null && acceptorThread == null) {
        acceptor.close();
      }
    } catch (IOException e) {
      LOG.debug("giving back the selectors of server {} failed", options.name, e);
    }
  }

  public boolean isServing() {
    return serving;
  }

  /** Returns the hooks that the user has set on the server, or null. */
  public @Nullable TServerEventHandler getEventHandler() {
    return events.get();
  }

  /** Starts a daemon thread that does not serve requests. */
  public Thread daemon(Runnable task, String role) {
    Thread thread = new ServerThread(task, options.name + "-" + role);
    thread.start();
    return thread;
  }

  private void awaitDrained() throws InterruptedException {
    if (acceptorThread != null) {
      // The listening socket ends with it: further clients are rejected.
      acceptorThread.join();
    }
    if (!drained.await(stopDeadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      // The loops end at the deadline by themselves; this is for their last turn.
      loopsEnded.await(1, TimeUnit.SECONDS);
    }
    if (drained.getCount() > 0) {
      LOG.warn(
          "server {} leaves requests behind that did not end within {} ms",
          options.name,
          TimeUnit.NANOSECONDS.toMillis(options.stopTimeoutNanos));
    }
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
    wakeAll();
    drain.signal();
  }

  /** Drains it until connections have ended, at most for that time. */
  public int drain(long timeout, TimeUnit unit) throws InterruptedException {
    if (timeout < 0) {
      throw new IllegalArgumentException(
          "a drain of server " + options.name + " takes no negative time, such as " + timeout);
    }
    drain.await(unit.toNanos(timeout));
    return (int) Math.min(Integer.MAX_VALUE, metrics.cutOff.sum());
  }

  /** Reports whether clients should be sent to this server. */
  public boolean isReady() {
    Acceptor current = acceptor;
    return serving
        && !stopping
        && !drain.hasBegun()
        && current != null
        && !current.hasEnded()
        && !workers.lacksLeader();
  }

  /** Wakes all threads, so that they check whether the server is to be drained or stopped. */
  public void wakeAll() {
    Acceptor current = acceptor;
    if (current != null) {
      current.wakeUp();
    }
    if (started) {
      loops.wakeAll();
      workers.roster().wakeAll();
    }
  }

  public Drain drain() {
    return drain;
  }

  /** Reports whether no more connections are accepted. */
  public boolean hasStoppedAccepting() {
    Acceptor current = acceptor;
    return current == null || current.hasEnded() || ended;
  }

  /** Reports whether no thread is left that would close a connection. */
  public boolean hasEnded() {
    return ended || !started && acceptor == null;
  }

  /** Stops the server because a part that it needs has failed. */
  public void failed(Failure what, Throwable cause) {
    failureCause = cause;
    failure = what;
    try {
      stop();
    } finally {
      metrics.failures.add(what, options.name, cause);
    }
  }

  public Options options() {
    return options;
  }

  public Metrics metrics() {
    return metrics;
  }

  public MethodTable methods() {
    return methods;
  }

  /** Runs the hooks for a connection's beginning and end. */
  public Watched hooks() {
    return hooks;
  }

  public UnsentBytes unsentBytes() {
    return unsentBytes;
  }

  public ReadBudget budget() {
    return budget;
  }

  public HandOffRing<Connection> ring() {
    return ring;
  }

  public WorkerPool workers() {
    return workers;
  }

  public @Nullable Watchdog watchdog() {
    return watchdog;
  }

  public Factories factories() {
    return factories;
  }

  public WireFactory wires() {
    return wires;
  }

  public Admission admission() {
    return admission;
  }

  public int connections() {
    return admission.connections();
  }

  public EventLoops loops() {
    return loops;
  }

  public boolean isStopping() {
    return stopping;
  }

  public boolean stopDeadlinePassed() {
    return stopping && System.nanoTime() - stopDeadline >= 0;
  }

  /** Returns the shortage of ring entries, because of which loops stop reading connections. */
  public Shortage ringShortage() {
    return ringShortage;
  }

  /** Returns the shortage of read memory, because of which loops stop reading connections. */
  public Shortage memoryShortage() {
    return memoryShortage;
  }

  public void loopEnded() {
    if (loopsLeft.decrementAndGet() == 0) {
      workersMayEnd = true;
      loopsEnded.countDown();
      workers.roster().end();
      Watchdog current = watchdog;
      if (current != null) {
        current.end();
      }
    }
  }

  public boolean workersMayEnd() {
    return workersMayEnd;
  }

  public void workerEnded() {
    if (workersMayEnd && workers.threads() == 0) {
      drained.countDown();
    }
  }
}
