package dev.ringside.thrift;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TNonblockingServerTransport;
import org.apache.thrift.transport.TTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves Thrift requests half-sync/half-async on the LMAX Disruptor, and adapts to its methods.
 *
 * <p>Few threads watch all connections. A request of a method that returns at once runs on the
 * thread that read it. A request of a method that blocks goes through a ring buffer to a worker,
 * which also answers it. The server learns by observation which method is which. A request that
 * blocks unexpectedly costs its thread the leadership of the event loop: another thread takes over,
 * so that no connection waits for a request of another.
 *
 * <p>Clients must use framed transport, with any protocol. Requests of one connection run one after
 * the other and are answered in order. A client may send many before it reads the first reply.
 *
 * <p>Threads: handlers run on threads of {@link Args#threadFactory}. Arguments of a handler never
 * share memory with the server.
 */
public final class TDisruptorServer extends TServer {
  private static final Logger LOG = LoggerFactory.getLogger(TDisruptorServer.class);

  /** Holds the server's arguments. */
  public static final class Args extends DisruptorArgs<Args> {
    /**
     * Creates arguments for a server on a transport, by default framed and with binary protocol.
     */
    public Args(TNonblockingServerTransport transport) {
      super(transport);
    }
  }

  private final Options options;
  private final Metrics metrics = new Metrics();
  private final Factories factories;
  private final Admission admission;
  private final MethodTable methods;
  private final Watched hooks;
  private final WireFactory wires;
  private final ReadBudget budget;
  private final UnsentBytes unsentBytes;
  private final HandOff<Connection> ring;
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

  private volatile Acceptor acceptor;
  private Thread acceptorThread;
  private volatile Watchdog watchdog;

  private final AtomicBoolean called = new AtomicBoolean();

  /** Whether threads may wait that stop() must wake. */
  private volatile boolean started;

  /** Replaces libthrift 0.9.2's field, which is not volatile. */
  private volatile boolean serving;

  private volatile boolean stopping;
  private volatile boolean ended;
  private volatile boolean workersMayEnd;
  private volatile long stopDeadline;
  private volatile Failure failure;
  private volatile Throwable failureCause;

  /**
   * Creates a server that does not serve yet.
   *
   * @throws IllegalArgumentException if arguments contradict each other: virtual threads as {@link
   *     Args#threadFactory}, an asynchronous processor
   */
  public TDisruptorServer(Args args) {
    super(args);
    if (args.threadFactory == null) {
      args.threadFactory = new DaemonThreads(args.name);
    }
    if (Libthrift.isPlainFraming(inputTransportFactory_)) {
      args.maxFrameBytes =
          Math.min(args.maxFrameBytes, Libthrift.frameLimit(inputTransportFactory_));
    }
    refuseVirtualThreads(args);
    options = new Options(args);
    inputProtocolFactory_ = Libthrift.limited(inputProtocolFactory_, options.maxFrameBytes);
    drain = new Drain(this);
    factories =
        new Factories(
            inputTransportFactory_,
            outputTransportFactory_,
            inputProtocolFactory_,
            outputProtocolFactory_,
            processorFactory_);
    admission = new Admission(options.maxConnections, metrics, drain::signal);
    methods = new MethodTable(options.inlineLimitNanos);
    hooks = new Watched(this, options.inlineLimitNanos);
    budget = new ReadBudget(options.maxReadBufferBytes);
    wires = new WireFactory(options, budget, new Watched(this, options.inlineLimitNanos));
    unsentBytes = new UnsentBytes(options.maxReadBufferBytes);
    ring = args.handOff.apply(this);
    workers = new WorkerPool(this, ring);
    mbean = new ServerMBean(this);
  }

  private static void refuseVirtualThreads(Args args) {
    if (DaemonThreads.areVirtual(args.threadFactory)) {
      throw new IllegalArgumentException(
          "server "
              + args.name
              + ": its threadFactory makes virtual threads, of which nobody can tell the CPU time"
              + " and the state in the kernel, from which this server learns what its methods do:"
              + " give it one that makes platform threads");
    }
  }

  /**
   * Serves until {@link #stop()}, and then until running requests have been answered, at most for
   * the stop timeout. An interrupt of the calling thread stops the server.
   *
   * @throws IllegalStateException if the server cannot start or cannot continue, or if this method
   *     was called before
   */
  @Override
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
      setServing(false);
      ended = true;
      drain.signal();
      mbean.unregister();
      serverTransport_.close();
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
      serverTransport_.listen();
      loops.open(this, options.selectors);
      acceptor = new Acceptor(this, (TNonblockingServerTransport) serverTransport_);
    } catch (TTransportException | IOException e) {
      throw new IllegalStateException(
          "server " + options.name + " cannot listen: " + e.getMessage(), e);
    }
    loopsLeft.set(loops.size());
    watchdog = new Watchdog(this, loops);
    mbean.register();
    if (eventHandler_ != null) {
      eventHandler_.preServe();
    }
    started = true;
    loops.forEach(workers::lead);
    daemon(watchdog, "watchdog");
    acceptorThread = daemon(acceptor, "acceptor");
    setServing(true);
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

  @Override
  public boolean isServing() {
    return serving;
  }

  @Override
  protected void setServing(boolean value) {
    serving = value;
    super.setServing(value);
  }

  /** Starts a daemon thread that does not serve requests. */
  Thread daemon(Runnable task, String role) {
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

  /**
   * Asks the server to stop: it accepts no new connection and reads no new request. Returns at
   * once; {@link #serve()} returns when running requests have ended. May be called from any thread,
   * any number of times.
   */
  @Override
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

  /**
   * Closes all connections without losing requests, in preparation for {@link #stop()}. From now on
   * the server is not {@link #isReady} and accepts no new connections. Requests that are under way,
   * and those that arrive on open connections, are answered. A connection is closed when it has
   * been silent for 100 ms with nothing under way, and at the latest when the time is up.
   *
   * <p>Returns when that is done and, before the time is up, when the hooks for the end of
   * connections have run. The drain continues if the caller is interrupted.
   *
   * <p>A client sees the end of its connection as if the server had closed an idle one. Thrift
   * cannot announce it: a request that is sent at that very moment is neither run nor answered.
   *
   * <p>Threads: any thread that runs no request may call this method, any number of times; the
   * earliest deadline counts. A server drained before {@link #serve()} never listens. A drain does
   * not stop the server: {@link #serve()} returns after {@link #stop()}, which also ends a drain. A
   * drain costs one thread, and per event loop a pass over its connections every 10 ms.
   *
   * @param timeout how long connections may take, not negative
   * @return how many connections were cut off with a request, or a part of one, that was not
   *     answered; 0 if everything was answered
   * @throws IllegalArgumentException if the timeout is negative
   */
  public int drain(long timeout, TimeUnit unit) throws InterruptedException {
    if (timeout < 0) {
      throw new IllegalArgumentException(
          "a drain of server " + options.name + " takes no negative time, such as " + timeout);
    }
    drain.await(unit.toNanos(timeout));
    return (int) Math.min(Integer.MAX_VALUE, metrics.cutOff.sum());
  }

  /**
   * Reports whether clients should be sent to this server: it accepts connections, neither {@link
   * #drain} nor {@link #stop} was called, and it does not lack threads that serve connections. For
   * readiness probes, from any thread.
   */
  public boolean isReady() {
    Acceptor current = acceptor;
    return serving
        && !stopping
        && !drain.hasBegun()
        && current != null
        && !current.hasEnded()
        && !workers.lacksLeader();
  }

  /**
   * Uses another TLS context for connections that are accepted from now on, for example one with
   * certificates that replace expiring ones. Open connections keep theirs. May be called from any
   * thread.
   *
   * @throws IllegalArgumentException if the context is null
   * @throws IllegalStateException if the server was created without TLS
   */
  public void renewTls(SSLContext context) {
    if (options.sslContext == null) {
      throw new IllegalStateException(
          "server " + options.name + " has no TLS to renew: make it with Args.tls");
    }
    if (context == null) {
      throw new IllegalArgumentException("the TLS context of server " + options.name + " is null");
    }
    wires.use(context);
  }

  /** Wakes all threads, so that they check whether the server is to be drained or stopped. */
  void wakeAll() {
    Acceptor current = acceptor;
    if (current != null) {
      current.wakeUp();
    }
    if (started) {
      loops.wakeAll();
      workers.roster().wakeAll();
    }
  }

  Drain drain() {
    return drain;
  }

  /** Reports whether no more connections are accepted. */
  boolean hasStoppedAccepting() {
    Acceptor current = acceptor;
    return current == null || current.hasEnded() || ended;
  }

  /** Reports whether no thread is left that would close a connection. */
  boolean hasEnded() {
    return ended || !started && acceptor == null;
  }

  /** Stops the server because a part that it needs has failed. */
  void failed(Failure what, Throwable cause) {
    failureCause = cause;
    failure = what;
    try {
      stop();
    } finally {
      metrics.failures.add(what, options.name, cause);
    }
  }

  Options options() {
    return options;
  }

  Metrics metrics() {
    return metrics;
  }

  MethodTable methods() {
    return methods;
  }

  /** Runs the hooks for a connection's beginning and end. */
  Watched hooks() {
    return hooks;
  }

  UnsentBytes unsentBytes() {
    return unsentBytes;
  }

  ReadBudget budget() {
    return budget;
  }

  HandOff<Connection> ring() {
    return ring;
  }

  WorkerPool workers() {
    return workers;
  }

  Watchdog watchdog() {
    return watchdog;
  }

  Factories factories() {
    return factories;
  }

  WireFactory wires() {
    return wires;
  }

  Admission admission() {
    return admission;
  }

  int connections() {
    return admission.connections();
  }

  EventLoops loops() {
    return loops;
  }

  boolean isStopping() {
    return stopping;
  }

  boolean stopDeadlinePassed() {
    return stopping && System.nanoTime() - stopDeadline >= 0;
  }

  /** Returns the shortage of ring entries, because of which loops stop reading connections. */
  Shortage ringShortage() {
    return ringShortage;
  }

  /** Returns the shortage of read memory, because of which loops stop reading connections. */
  Shortage memoryShortage() {
    return memoryShortage;
  }

  void loopEnded() {
    if (loopsLeft.decrementAndGet() == 0) {
      workersMayEnd = true;
      loopsEnded.countDown();
      ring.end();
      workers.roster().end();
      watchdog.end();
    }
  }

  boolean workersMayEnd() {
    return workersMayEnd;
  }

  void workerEnded() {
    if (workersMayEnd && workers.threads() == 0) {
      drained.countDown();
    }
  }
}
