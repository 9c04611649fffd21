package dev.ringside.thrift.internal.loop;

import dev.ringside.thrift.internal.metrics.Failures;
import dev.ringside.thrift.internal.metrics.Metrics;
import dev.ringside.thrift.internal.wire.ReadBudget;
import dev.ringside.thrift.internal.wire.WireFactory;
import java.io.IOException;
import java.nio.channels.Selector;
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

  private final Options options;
  private final Factories factories;
  private final TNonblockingServerTransport transport;

  private final ServerRun run;
  private final Admission admission;
  private final Alarm alarm = new Alarm();
  private final EventLoops loops = new EventLoops(this::connections, this::loopsEnded);
  private final Drain drain;
  private final ReadBudget budget;
  private final WireFactory wires;
  private final WorkerPool workers;
  private final ConnectionFactory connectionFactory;
  private final ServerMBean mbean;

  private volatile @Nullable Acceptor acceptor;
  private @Nullable Thread acceptorThread;

  private final AtomicBoolean called = new AtomicBoolean();

  /** Whether threads may wait that stop() must wake. */
  private volatile boolean started;

  private volatile boolean serving;

  /** Creates a server that does not serve yet. */
  public ServerCore(Options options, Factories factories, TNonblockingServerTransport transport) {
    this.options = options;
    this.factories = factories;
    this.transport = transport;
    run = new ServerRun(options, this::wakeAll);
    admission = new Admission(options.maxConnections, run.metrics, this::signalDrain);
    drain = new Drain(run, admission, loops);
    budget = new ReadBudget(options.maxReadBufferBytes, loops::wakeAll);
    wires =
        new WireFactory(
            options.sslContext,
            options.clientAuthentication,
            options.tlsProtocols,
            options.cipherSuites,
            budget);
    workers = new WorkerPool(run, loops, alarm, this::newWorker);
    connectionFactory = new ConnectionFactory(run, factories, wires, budget, workers);
    mbean = new ServerMBean(this);
  }

  private Worker newWorker() {
    return new Worker(run, drain, alarm, workers, connectionFactory);
  }

  /** Creates a loop, which is not in the list of loops yet. */
  public EventLoop newLoop(Selector selector) {
    Deferred deferred =
        new Deferred(
            new WaitList(workers.shortage(), workers.ring()::hasRoom),
            new WaitList(budget.shortage(), budget::hasTurn));
    return new EventLoop(run, alarm, selector, deferred, loops, admission);
  }

  /** Creates the loops, one of which is in use. */
  public void openLoops() throws IOException {
    for (int i = 0; i < options.selectors; i++) {
      loops.add(newLoop(Selector.open()));
    }
  }

  /** Serves until it is stopped and running requests have ended. */
  public void serve() {
    if (!called.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "server " + options.name + " cannot serve twice: make another one");
    }
    boolean interrupted = false;
    try {
      start();
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

  private void start() {
    if (run.isStopping() || drain.hasBegun()) {
      run.endWorkers();
      return;
    }
    try {
      transport.listen();
      openLoops();
      acceptor = new Acceptor(run, drain, admission, loops, transport);
    } catch (TTransportException | IOException e) {
      throw new IllegalStateException(
          "server " + options.name + " cannot listen: " + e.getMessage(), e);
    }
    run.begin();
    admission.open();
    Watchdog watchdog = new Watchdog(run, loops, workers, alarm);
    mbean.register();
    TServerEventHandler events = factories.events();
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
    return (int) Math.min(Integer.MAX_VALUE, run.metrics.cutOff.sum());
  }

  /** Reports whether clients should be sent to this server. */
  public boolean isReady() {
    return serving
        && !run.isStopping()
        && !drain.hasBegun()
        && admission.isOpen()
        && !workers.lacksLeader();
  }

  private void wakeAll() {
    Acceptor current = acceptor;
    if (current != null) {
      current.wakeUp();
    }
    if (started) {
      loops.wakeAll();
      workers.roster().wakeAll();
    }
    drain.signal();
  }

  private void signalDrain() {
    drain.signal();
  }

  private void loopsEnded() {
    run.endLoops();
    workers.roster().end();
    alarm.end();
  }

  public ServerRun run() {
    return run;
  }

  public Options options() {
    return options;
  }

  public Metrics metrics() {
    return run.metrics;
  }

  public Admission admission() {
    return admission;
  }

  public int connections() {
    return admission.connections();
  }

  public Alarm alarm() {
    return alarm;
  }

  public EventLoops loops() {
    return loops;
  }

  public ReadBudget budget() {
    return budget;
  }

  public WireFactory wires() {
    return wires;
  }

  public WorkerPool workers() {
    return workers;
  }

  public ConnectionFactory connectionFactory() {
    return connectionFactory;
  }
}
