package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.CloseReason;
import dev.ringside.thrift.internal.metrics.Failures;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.Selector;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** How long the server may lack something before it is not ready. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Options options;
  private final TNonblockingServerTransport transport;

  public final ServerRun run;
  public final Admission admission;
  public final Alarm alarm = new Alarm();
  public final EventLoops loops = new EventLoops(this::connections, this::loopsEnded);
  private final Drain drain;
  public final WorkerPool workers;
  private final ServerMBean mbean;

  private volatile @Nullable Acceptor acceptor;
  private @Nullable Thread acceptorThread;

  private final AtomicBoolean called = new AtomicBoolean();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch returned = new CountDownLatch(1);
  private volatile @Nullable Throwable failure;

  /** Whether threads may wait that stop() must wake. */
  private volatile boolean started;

  private volatile boolean serving;
  private volatile @Nullable SocketAddress address;

  /** Creates a server that does not serve yet. */
  public ServerCore(Options options, Factories factories, TNonblockingServerTransport transport) {
    this.options = options;
    this.transport = transport;
    run = new ServerRun(options, factories, this::connections, loops::wakeAll, this::wakeAll);
    admission = new Admission(options.maxConnections, run.metrics, this::signalDrain);
    drain = new Drain(run, admission, loops);
    workers = new WorkerPool(run, loops, alarm, this::newWorker);
    mbean = new ServerMBean(this);
  }

  private Worker newWorker() {
    return new Worker(run, drain, alarm, workers);
  }

  /** Creates a loop, which is not in the list of loops yet. */
  public EventLoop newLoop(Selector selector) {
    Deferred deferred = new Deferred(new WaitList(workers.shortage), new WaitList(run.memory));
    return new EventLoop(run, alarm, selector, deferred, loops, admission);
  }

  /** Creates the loops, one of which is in use. */
  public void openLoops() throws IOException {
    for (int i = 0; i < options.selectors; i++) {
      loops.add(newLoop(Selector.open()));
    }
  }

  /** Serves in a thread of its own, and returns when clients can connect. */
  public void start() {
    claim();
    Thread thread = new Thread(this::serveInBackground, options.name + "-serve");
    thread.start();
    boolean interrupted = false;
    while (true) {
      try {
        begun.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Throwable failed = failure;
    if (failed != null) {
      throw new IllegalStateException(failed.getMessage(), failed);
    }
  }

  private void serveInBackground() {
    try {
      serveOnce();
    } catch (Throwable e) {
      // start() throws whatever it is, or it is logged already.
      failure = e;
    } finally {
      begun.countDown();
    }
  }

  /** Stops it, and waits until {@link #serve()} has returned. */
  public void close() {
    stop();
    try {
      if (called.get()) {
        returned.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Serves until it is stopped and running requests have ended. */
  public void serve() {
    claim();
    serveOnce();
  }

  private void claim() {
    if (!called.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "server " + options.name + " cannot serve twice: make another one");
    }
  }

  private void serveOnce() {
    boolean interrupted = false;
    try {
      begin();
      begun.countDown();
      try {
        run.awaitStop();
      } catch (InterruptedException e) {
        interrupted = true;
        stop();
      }
      interrupted |= awaitEnd();
    } catch (RuntimeException | Error e) {
      stop();
      abandon();
      throw e;
    } finally {
      serving = false;
      run.end();
      admission.close();
      mbean.unregister();
      transport.close();
      returned.countDown();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    run.throwFailure();
  }

  /**
   * Waits, after a stop, until running requests have ended, at most until the stop timeout. Returns
   * whether the thread was interrupted meanwhile.
   */
  private boolean awaitEnd() {
    boolean interrupted = false;
    while (true) {
      try {
        if (acceptorThread != null) {
          // The listening socket ends with it: further clients are rejected.
          acceptorThread.join();
        }
        run.awaitWorkers();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  private void begin() {
    if (run.isStopping() || drain.hasBegun()) {
      run.endWorkers();
      return;
    }
    try {
      transport.listen();
      openLoops();
      Acceptor listening = new Acceptor(run, drain, admission, loops, transport);
      acceptor = listening;
      address = listening.localAddress();
    } catch (TTransportException | IOException e) {
      throw new IllegalStateException(
          "server " + options.name + " cannot listen: " + e.getMessage(), e);
    }
    run.begin();
    admission.open();
    Watchdog watchdog = new Watchdog(run, loops, workers, alarm);
    mbean.register();
    TServerEventHandler events = run.factories.events();
    if (events != null) {
      events.preServe();
    }
    started = true;
    loops.forEach(workers::lead);
    run.startDaemon(watchdog, "watchdog");
    acceptorThread = run.startDaemon(acceptor, "acceptor");
    serving = true;
    if (run.isStopping()) {
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

  /** Asks the server to stop. */
  public void stop() {
    run.stop();
  }

  /** Drains it until connections have ended, at most for that time. */
  public int drain(long timeout, TimeUnit unit) throws InterruptedException {
    if (timeout < 0) {
      throw new IllegalArgumentException(
          "a drain of server " + options.name + " takes no negative time, such as " + timeout);
    }
    drain.await(unit.toNanos(timeout));
    return (int) Math.min(Integer.MAX_VALUE, run.metrics.closings.count(CloseReason.CUT_OFF));
  }

  /** Reports whether clients should be sent to this server. */
  public boolean isReady() {
    return serving
        && !run.isStopping()
        && !drain.hasBegun()
        && admission.isOpen()
        && !workers.lacksLeader()
        && !isSaturated();
  }

  /**
   * Reports whether requests have waited for a second, for a worker, a place in the ring or memory.
   */
  private boolean isSaturated() {
    return workers.isStuck() && !workers.ring.isEmpty()
        || workers.shortage.lasts(PATIENCE_NANOS)
        || run.memory.lasts(PATIENCE_NANOS);
  }

  /** Returns the address on which it listens; null before that. */
  public @Nullable SocketAddress address() {
    return address;
  }

  private void wakeAll() {
    Acceptor current = acceptor;
    if (current != null) {
      current.wakeUp();
    }
    if (started) {
      loops.wakeAll();
      workers.roster.wakeAll();
    }
    drain.signal();
  }

  private void signalDrain() {
    drain.signal();
  }

  private void loopsEnded() {
    run.endLoops();
    workers.roster.end();
    alarm.end();
  }

  public int connections() {
    return admission.connections();
  }
}
